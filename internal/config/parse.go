package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

func text(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		*field(c) = v
		return nil
	}
}

func boolean(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) error {
		b, err := strconv.ParseBool(v)
		if err != nil {
			return errors.New("want true or false")
		}
		*field(c) = b
		return nil
	}
}

func number(field func(*Config) *int, low, high int) func(*Config, string) error {
	return func(c *Config, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return fmt.Errorf("want a whole number from %d to %d", low, high)
		}
		*field(c) = n
		return nil
	}
}

func duration(field func(*Config) *time.Duration, low time.Duration) func(*Config, string) error {
	return func(c *Config, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < low {
			return fmt.Errorf("want a duration such as 30s, at least %v", low)
		}
		*field(c) = d
		return nil
	}
}

// units of sizes, the long ones first.
var units = []struct {
	suffix string
	bytes  int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"B", 1}, {"", 1}}

func size(field func(*Config) *int64) func(*Config, string) error {
	return func(c *Config, v string) error {
		for _, u := range units {
			digits, ok := strings.CutSuffix(v, u.suffix)
			if !ok {
				continue
			}
			n, err := strconv.ParseInt(digits, 10, 32)
			if err != nil || n < 1 {
				break
			}
			*field(c) = n * u.bytes
			return nil
		}
		return errors.New("want a size such as 10MiB")
	}
}

func level(c *Config, v string) error {
	if c.LogLevel.UnmarshalText([]byte(v)) != nil {
		return errors.New("want debug, info, warn or error")
	}
	return nil
}
