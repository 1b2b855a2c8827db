package config_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/pkg/config"
)

type sample struct {
	Listen string        `config:"listen"`
	Secret config.Secret `config:"system_secret"`
	Limit  int64         `config:"limit"`
	Wait   time.Duration `config:"wait"`
	Hosts  []string      `config:"hosts"`
	Since  time.Time     `config:"since"`
	Auth   struct {
		Enabled bool `config:"enabled"`
	} `config:"auth"`
	Untouched string
}

func (s *sample) Validate() []error {
	if s.Limit < 0 {
		return []error{errors.New("limit is negative")}
	}
	return nil
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	t.Parallel()
	full := sample{Listen: ":1", Secret: "s", Limit: 7, Wait: 2 * time.Second, Hosts: []string{"a", "b"}}
	full.Auth.Enabled = true
	tests := []struct {
		name, file, content string
		environ             []string
		want                sample
	}{
		{name: "defaults stay where nothing is given", want: sample{Listen: "default"}},
		{
			name: "YAML fills every type", file: "c.yaml", want: full,
			content: "listen: ':1'\nsystem_secret: s\nlimit: 7\nwait: 2s\nhosts: [a, b]\nauth:\n  enabled: true\n",
		},
		{
			name: "TOML fills every type", file: "c.toml", want: full,
			content: "listen=':1'\nsystem_secret='s'\nlimit=7\nwait='2s'\nhosts=['a','b']\n[auth]\nenabled=true\n",
		},
		{
			name: "JSON fills every type", file: "c.json", want: full,
			content: `{"listen":":1","system_secret":"s","limit":7,"wait":"2s","hosts":["a","b"],"auth":{"enabled":true}}`,
		},
		{
			name: "the environment fills every type", want: full,
			environ: []string{"CARTULARY_LISTEN=:1", "CARTULARY_SYSTEM_SECRET=s", "CARTULARY_LIMIT=7", "CARTULARY_WAIT=2s",
				"CARTULARY_HOSTS=a, b", "CARTULARY_AUTH_ENABLED=TRUE", "HOME=/", "CARTULARY_OTHER=1"},
		},
		{
			name: "the environment wins over the file", file: "c.yaml", content: "listen: file\nlimit: 3\n",
			environ: []string{"CARTULARY_LISTEN=env"}, want: sample{Listen: "env", Limit: 3},
		},
		{
			name: "an empty variable counts as not given", environ: []string{"CARTULARY_LISTEN="}, want: sample{Listen: "default"},
		},
		{
			name: "a value may hold an equals sign", environ: []string{"CARTULARY_LISTEN=a=b"}, want: sample{Listen: "a=b"},
		},
		{
			name: "a type that reads text reads it itself", environ: []string{"CARTULARY_SINCE=2026-01-02T00:00:00Z"},
			want: sample{Listen: "default", Since: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)},
		},
		{name: "an empty file changes nothing", file: "c.yaml", content: "auth:\n", want: sample{Listen: "default"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := sample{Listen: "default"}
			opts := config.Options{Environ: tt.environ, IgnoredVariables: []string{"CARTULARY_OTHER"}}
			if tt.file != "" {
				opts.File = file(t, tt.file, tt.content)
			}
			if err := config.Load(&got, opts); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestLoadReportsEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	path := file(t, "c.yaml", "listn: x\nauth:\n  enabled: perhaps\n  extra: 1\nsystem_secret: [top, hidden]\n")
	err := config.Load(&sample{}, config.Options{
		File:    path,
		Environ: []string{"CARTULARY_LIMIT=-4", "CARTULARY_WAIT=soon", "CARTULARY_LISTENN=x"},
	})
	if err == nil {
		t.Fatal("got no error")
	}
	for _, want := range []string{
		path, "listn is not a setting", `auth.enabled: "perhaps" is neither true nor false`, "auth.extra is not a setting",
		"system_secret: a single value is expected", `CARTULARY_WAIT: "soon" is not a duration`, "limit is negative",
		"CARTULARY_LISTENN is not a setting; known are: CARTULARY_AUTH_ENABLED, CARTULARY_HOSTS",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "hidden") {
		t.Errorf("error shows a secret:\n%v", err)
	}
}

// known is set by names that users know from other products.
type known struct {
	Provider struct {
		ID     string        `config:"id" alias:"AUTH_X_CLIENT_ID"`
		Secret config.Secret `config:"secret" alias:"AUTH_X_SECRET"`
		Wait   time.Duration `config:"wait"`
	} `config:"provider"`
}

func TestAliasesSetTheSameFields(t *testing.T) {
	t.Parallel()
	var got known
	err := config.Load(&got, config.Options{AliasPrefixes: []string{"AUTH_X_"}, Environ: []string{
		"AUTH_X_CLIENT_ID=a", "CARTULARY_PROVIDER_ID=", "CARTULARY_PROVIDER_WAIT=2s", "AUTH_Y=1", "AUTH_X_SECRET=",
	}})
	if err != nil || got.Provider.ID != "a" || got.Provider.Wait != 2*time.Second || got.Provider.Secret != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAliasesAreRefusedLikeOtherVariables(t *testing.T) {
	t.Parallel()
	err := config.Load(&known{}, config.Options{AliasPrefixes: []string{"AUTH_X_"}, Environ: []string{
		"AUTH_X_CLIENT_ID=a", "CARTULARY_PROVIDER_ID=b", "AUTH_X_CLIENTID=c",
	}})
	for _, want := range []string{
		"AUTH_X_CLIENTID is not a setting; known are: AUTH_X_CLIENT_ID, AUTH_X_SECRET",
		"AUTH_X_CLIENT_ID and CARTULARY_PROVIDER_ID are both set, and mean the same: keep one",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
	if err := config.Load(&known{}, config.Options{Environ: []string{"AUTH_X_CLIENT_ID=a", "AUTH_X_OTHER=b"}}); err != nil {
		t.Errorf("variables of others: %v", err)
	}
}

func TestLoadRefusesFilesItCannotRead(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"missing file":   filepath.Join(t.TempDir(), "none.yaml"),
		"broken YAML":    file(t, "c.yaml", "a: [1"),
		"unknown ending": file(t, "c.conf", "listen: x"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := config.Load(&sample{}, config.Options{File: path}); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want an error that names %s", err, path)
			}
		})
	}
}

func TestValuesListsEveryField(t *testing.T) {
	t.Parallel()
	var target struct {
		Listen string        `config:"listen"`
		Secret config.Secret `config:"system_secret" listed:"client.secret"`
		None   config.Secret `config:"no_secret"`
		Limit  int64         `config:"limit"`
		Wait   time.Duration `config:"wait"`
		Hosts  []string      `config:"hosts"`
		Level  slog.Level    `config:"level"`
		Auth   struct {
			Enabled bool `config:"enabled" listed:"authentication.enabled"`
		} `config:"auth"`
		Other string
	}
	target.Listen, target.Secret, target.Limit, target.Wait, target.Hosts = ":1", "s", -7, 2*time.Minute, []string{"a", "b"}
	target.Auth.Enabled = true
	want := map[string]string{
		"listen": ":1", "system_secret": "***", "client.secret": "***", "no_secret": "***", "limit": "-7", "wait": "2m0s", "hosts": "a,b", "level": "INFO",
		"auth.enabled": "true", "authentication.enabled": "true",
	}
	if got := config.Values(&target); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestASettingOfTwoProgramsIsNotIgnored(t *testing.T) {
	t.Parallel()
	var c struct {
		Listen string `config:"listen"`
	}
	err := config.Load(&c, config.Options{Environ: []string{"CARTULARY_LISTEN=:1", "CARTULARY_OTHER=x"}, IgnoredVariables: []string{"CARTULARY_LISTEN", "CARTULARY_OTHER"}})
	if err != nil || c.Listen != ":1" {
		t.Errorf("got %q, %v", c.Listen, err)
	}
}
