-- The books of this service. The inbox has a table of its own, beside them in the same database.
CREATE TABLE IF NOT EXISTS invoices (
    number      text   PRIMARY KEY,
    job_id      text   NOT NULL,
    status      text   NOT NULL DEFAULT 'submitted',
    sequence    bigint NOT NULL DEFAULT 0, -- of the event that the row is made of
    document_id text   NOT NULL DEFAULT '',
    sha256      text   NOT NULL DEFAULT '',
    pdf         bytea
);

-- One line for each event, and never one more. No constraint says so: that is the inbox's work.
CREATE TABLE IF NOT EXISTS journal (
    event_id  text        NOT NULL,
    number    text        NOT NULL,
    status    text        NOT NULL,
    booked_at timestamptz NOT NULL DEFAULT now()
);
