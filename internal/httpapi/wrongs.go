package httpapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
)

// wrongs collects what is wrong with a body, so that its sender hears of all of it at once.
type wrongs []fault.Field

// add notes a member with a wrong value.
func (w *wrongs) add(pointer, format string, args ...any) {
	w.addCode(pointer, api.CodeFieldInvalid, format, args...)
}

func (w *wrongs) addCode(pointer string, code api.ErrorCode, format string, args ...any) {
	*w = append(*w, fault.Field{Pointer: pointer, Code: string(code), Detail: fmt.Sprintf(format, args...)})
}

// take notes the fields of a fault that somebody else found.
func (w *wrongs) take(err error) {
	if err != nil {
		*w = append(*w, fault.From(err).Fields...)
	}
}

// upTo notes a number that is not 1 to most. Nil is none, and fine.
func upTo(w *wrongs, pointer string, n *int, most int) bool {
	if n != nil && (*n < 1 || *n > most) {
		w.add(pointer, "%s must be 1 to %d.", strings.ReplaceAll(pointer[1:], "/", "."), most)
		return false
	}
	return n != nil
}

// err is nil, or one fault about all fields, headed by the first.
func (w wrongs) err() error {
	if len(w) == 0 {
		return nil
	}
	return &fault.Error{Kind: fault.Invalid, Code: w[0].Code, Message: w[0].Detail, Fields: w}
}

// below puts what is wrong with a part of the body under the name of that part.
func (w wrongs) below(prefix string) wrongs {
	return each(w, func(f fault.Field) fault.Field {
		f.Pointer = prefix + f.Pointer
		return f
	})
}

// below does the same for what an error says.
func below(prefix string, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || prefix == "" {
		return err
	}
	moved := *f
	moved.Fields = wrongs(f.Fields).below(prefix)
	return &moved
}

// unread reports whether one of the members, or the whole, could not be read, so that what follows from it cannot be judged.
// A name that is not known leaves its neighbors readable.
func (w wrongs) unread(pointers ...string) bool {
	return slices.ContainsFunc(w, func(f fault.Field) bool {
		return f.Code != string(api.CodeFieldUnknown) && (f.Pointer == "" || slices.ContainsFunc(pointers, func(p string) bool {
			return f.Pointer == p || strings.HasPrefix(f.Pointer, p+"/")
		}))
	})
}
