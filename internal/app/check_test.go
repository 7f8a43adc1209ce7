package app_test

import (
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
)

func TestEveryWrongSettingIsNamed(t *testing.T) {
	t.Parallel()
	err := app.CheckSettings(config.Config{
		PublicURL: "platen", RedisURL: "foo", RedisCAFile: "/nope", SecretKey: "abc", SecretKeyOld: "x,y", CallbackSecret: "sixteen letters or more,short", DevKey: "foo",
		AllowCallbacks: "http://foo", AllowPages: "http://foo", CallbackCAFile: "/nope", CallbackSchedule: "soon",
	})
	if err == nil {
		t.Fatal("taken")
	}
	for _, name := range []string{
		"PUBLIC_URL", "REDIS_URL", "REDIS_CA_FILE", "SECRET_KEY", "SECRET_KEY_OLD", "CALLBACK_SECRET", "DEV_KEY", "EGRESS_ALLOW_CALLBACKS", "EGRESS_ALLOW_PAGES",
		"CALLBACK_CA_FILE", "CALLBACK_SCHEDULE",
	} {
		if !strings.Contains(err.Error(), "PLATEN_"+name+": ") {
			t.Errorf("PLATEN_%s is not named in: %v", name, err)
		}
	}
	if err := app.CheckSettings(config.Config{RedisURL: "redis://127.0.0.1:6379"}); err != nil {
		t.Errorf("what is not set is not wrong: %v", err)
	}
}
