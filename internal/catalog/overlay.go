package catalog

import (
	"reflect"

	"github.com/platen-render/platen/api"
)

// overlay is an output with the members of another one, which win where they are given. Sides of margins and entries of metadata are
// members too; a size of the paper in numbers and one by name stand for each other.
func overlay(under, over *api.Output) *api.Output {
	switch {
	case under == nil:
		return over
	case over == nil:
		return under
	}
	merged := *under
	if over.Paper != nil || over.WidthMM != nil || over.HeightMM != nil {
		merged.Paper, merged.WidthMM, merged.HeightMM = nil, nil, nil
	}
	lay(reflect.ValueOf(&merged).Elem(), reflect.ValueOf(over).Elem())
	return &merged
}

// lay sets the members of a struct that are given in another one; structs in it are laid over each other.
func lay(to, from reflect.Value) {
	for i := range from.NumField() {
		given, kept := from.Field(i), to.Field(i)
		switch {
		case given.IsNil():
		case given.Type().Elem().Kind() == reflect.Struct && !kept.IsNil():
			both := reflect.New(given.Type().Elem())
			both.Elem().Set(kept.Elem())
			lay(both.Elem(), given.Elem())
			kept.Set(both)
		default:
			kept.Set(given)
		}
	}
}
