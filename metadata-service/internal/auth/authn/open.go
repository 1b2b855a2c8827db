package authn

import "strings"

// openPaths holds the paths that need no actor. They are compared with the path of the request line
// unchanged, as the router does: nothing is decoded or cleaned, so a path in another spelling is
// neither open nor routed.
type openPaths struct {
	exact    map[string]bool
	prefixes []string
}

func newOpenPaths(cfg Config) openPaths {
	if cfg.Open == nil {
		cfg.Open = DefaultOpen()
	}
	if cfg.OpenAtRoot == nil {
		cfg.OpenAtRoot = DefaultOpenAtRoot()
	}
	if cfg.Mounts == nil {
		cfg.Mounts = DefaultMounts()
	}
	o := openPaths{exact: map[string]bool{}}
	for _, mount := range cfg.Mounts {
		for _, path := range cfg.Open {
			o.add(mount + path)
		}
	}
	for _, path := range cfg.OpenAtRoot {
		o.add(path)
	}
	return o
}

func (o *openPaths) add(path string) {
	if prefix, ok := strings.CutSuffix(path, "*"); ok {
		o.prefixes = append(o.prefixes, prefix)
		return
	}
	o.exact[path] = true
}

func (o *openPaths) has(path string) bool {
	if o.exact[path] {
		return true
	}
	for _, prefix := range o.prefixes {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
