package cache_test

import (
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/cache"
)

func TestPutThenGet(t *testing.T) {
	t.Parallel()
	c := cache.New[string, int](2)
	c.Put(c.Mark(), "a", 1)
	if v, ok := c.Get("a"); !ok || v != 1 {
		t.Errorf("got %d, %v", v, ok)
	}
	if _, ok := c.Get("b"); ok {
		t.Error("an answer that nobody put")
	}
}

func TestAnswerLoadedBeforeAChangeIsNotKept(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*cache.Cache[string, int]){
		"forget": func(c *cache.Cache[string, int]) { c.Forget("a") },
		"clear":  func(c *cache.Cache[string, int]) { c.Clear() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := cache.New[string, int](2)
			before := c.Mark()
			change(c)
			c.Put(before, "a", 1)
			if _, ok := c.Get("a"); ok {
				t.Error("a stale answer is remembered")
			}
		})
	}
}

func TestFullCacheStaysWithinItsLimit(t *testing.T) {
	t.Parallel()
	c := cache.New[int, int](3)
	for i := range 10 {
		c.Put(c.Mark(), i, i)
		if _, ok := c.Get(i); !ok {
			t.Errorf("the newest answer %d was given up", i)
		}
	}
	if c.Len() != 3 {
		t.Errorf("holds %d answers, limit is 3", c.Len())
	}
	c.Clear()
	if c.Len() != 0 {
		t.Errorf("holds %d answers after Clear", c.Len())
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	c := cache.New[int, int](8)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 500 {
				mark := c.Mark()
				if v, ok := c.Get(i % 16); ok && v != i%16 {
					t.Errorf("key %d has answer %d", i%16, v)
				}
				c.Put(mark, i%16, i%16)
				if i%50 == g {
					c.Forget(i % 16)
				}
			}
		})
	}
	wg.Wait()
	if c.Len() > 8 {
		t.Errorf("holds %d answers, limit is 8", c.Len())
	}
}
