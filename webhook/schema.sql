-- The inbox of callbacks. Times are milliseconds since 1970 by the clock of the database.
CREATE TABLE IF NOT EXISTS {table} (
    id                   text    PRIMARY KEY, -- webhook-id: one entry for each event, however often it comes
    fingerprint          text    NOT NULL,    -- sha256 of the body
    body                 {bytes} NOT NULL,    -- emptied when the entry is completed
    status               text    NOT NULL CHECK (status IN ('accepted', 'processing', 'completed', 'failed')),
    token                text    NOT NULL DEFAULT '', -- of the latest claim
    attempts             integer NOT NULL DEFAULT 0,
    last_error           text    NOT NULL DEFAULT '',
    accepted_ms          bigint  NOT NULL,
    seen_ms              bigint  NOT NULL,    -- when the sender last sent it
    due_ms               bigint,              -- while open: when it may be claimed, that is the end of its wait or lease
    finished_ms          bigint,
    repeats              bigint  NOT NULL DEFAULT 0,
    conflicts            bigint  NOT NULL DEFAULT 0, -- how often the id came with another body
    conflict_fingerprint text    NOT NULL DEFAULT '', -- of the last of those, and when
    conflict_ms          bigint,
    CHECK ((due_ms IS NULL) = (status IN ('completed', 'failed'))),
    CHECK ((finished_ms IS NULL) = (due_ms IS NOT NULL))
);

CREATE INDEX IF NOT EXISTS {due_index} ON {table} (due_ms) WHERE due_ms IS NOT NULL;

CREATE INDEX IF NOT EXISTS {finished_index} ON {table} (finished_ms) WHERE finished_ms IS NOT NULL;
