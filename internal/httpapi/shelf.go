package httpapi

import (
	"net/http"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// errName refuses the name of something to be stored. One that is only looked for is not found.
var errName = fault.New(fault.Invalid, string(api.CodeNameInvalid),
	"A name has 1 to 100 letters, digits, dots, hyphens and underscores, begins with a letter, a digit or an underscore, and has no two dots in a row.")

// item is what the path names on a shelf.
func (c *call) item(s jobs.Shelf) (jobs.Item, error) {
	i := jobs.Item{Tenant: c.key.Tenant, Shelf: s, Name: c.Param("name")}
	if !jobs.IsItemName(i.Name) {
		return i, jobs.ErrNotStored(s)
	}
	return i, nil
}

// dryRun reports whether a PUT is only to be checked. A misspelled parameter is refused: what was meant as a trial must not be stored.
func (c *call) dryRun() (bool, error) {
	q := c.query("dry_run")
	return q.oneOf("dry_run", "true", "false") == "true", q.err
}

// version reads the version that the path names, the current one when it names none.
func (s *Server) version(c *call, shelf jobs.Shelf) (jobs.Stored, error) {
	i, number, err := c.itemVersion(shelf)
	if err != nil {
		return jobs.Stored{}, err
	}
	return s.service.Store.Version(c.Request().Context(), i, number)
}

// itemVersion is what the path names, with the number of a version or 0.
func (c *call) itemVersion(shelf jobs.Shelf) (jobs.Item, int, error) {
	i, err := c.item(shelf)
	text := c.Param("version")
	if err != nil || text == "" {
		return i, 0, err
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || strconv.Itoa(number) != text {
		return i, 0, jobs.ErrNotStored(shelf)
	}
	return i, number, nil
}

// forget deletes what the path names: a version, or all of them.
func (s *Server) forget(c *call, shelf jobs.Shelf) error {
	i, number, err := c.itemVersion(shelf)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	if err := s.service.Forget(ctx, i, number); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// items reads a page of what a shelf has, by name.
func (s *Server) items(c *call, shelf jobs.Shelf) (jobs.Page[jobs.Stored], error) {
	q := c.query("limit", "cursor")
	limit, cursor := q.limit(), q.get("cursor")
	if cursor != "" && !jobs.IsItemName(cursor) {
		q.fail("cursor must be the next_cursor of the page before.")
	}
	if q.err != nil {
		return jobs.Page[jobs.Stored]{}, q.err
	}
	return s.service.Store.Items(c.Request().Context(), c.key.Tenant, shelf, cursor, limit)
}

// versions reads a page of the versions of what the path names, newest first.
func (s *Server) versions(c *call, shelf jobs.Shelf) (jobs.Page[jobs.Stored], error) {
	none := jobs.Page[jobs.Stored]{}
	i, err := c.item(shelf)
	if err != nil {
		return none, err
	}
	q := c.query("limit", "cursor")
	limit, cursor := q.limit(), 0
	if text := q.get("cursor"); text != "" {
		var err error
		if cursor, err = strconv.Atoi(text); err != nil || cursor < 1 {
			q.fail("cursor must be the next_cursor of the page before.")
		}
	}
	if q.err != nil {
		return none, q.err
	}
	return s.service.Store.Versions(c.Request().Context(), i, cursor, limit)
}

// show answers with something that the client may know already.
func (c *call) show(v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("ETag", etagOf(body))
	header.Set("Cache-Control", "private, no-cache") // kept, but asked for each time
	if knows(c.Request().Header.Values("If-None-Match"), etagOf(body)) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, "application/json", body)
}

// kept answers a PUT: 201 for a new version, 200 for one that was there and is the current one now.
func (s *Server) kept(c *call, v jobs.Stored, created bool, shown any) error {
	c.Response().Header().Set("Location", s.basePath+versionPath(v))
	if created {
		return c.respond(http.StatusCreated, shown)
	}
	return c.respond(http.StatusOK, shown)
}

// versionPath is the path of a version.
func versionPath(v jobs.Stored) string {
	return "/" + string(v.Shelf) + "s/" + v.Name + "/versions/" + strconv.Itoa(v.Version)
}
