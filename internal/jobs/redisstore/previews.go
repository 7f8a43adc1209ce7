package redisstore

import (
	"context"
	"strconv"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// previewKept is how much longer a preview is kept than somebody waits for it: for an answer that comes late to find out.
const previewKept = time.Minute

// PutPreview implements [jobs.Previews].
func (s *Store) PutPreview(ctx context.Context, id jobs.ID, request []byte, patience time.Duration) error {
	_, err := s.run(ctx, s.scripts.putPreview, id.Partition(), string(id), string(request), patience.Milliseconds(), (patience + previewKept).Milliseconds())
	return err
}

// ClaimPreview implements [jobs.Previews].
func (s *Store) ClaimPreview(ctx context.Context, id jobs.ID, owner string) (jobs.PreviewClaim, error) {
	v, err := s.list(ctx, s.scripts.claimPreview, id.Partition(), string(id), owner)
	if err != nil || len(v) == 0 {
		return jobs.PreviewClaim{}, err
	}
	ms, _ := strconv.ParseInt(v[1], 10, 64)
	return jobs.PreviewClaim{OK: true, Request: []byte(v[0]), Left: time.Duration(ms) * time.Millisecond}, nil
}

// AnswerPreview implements [jobs.Previews].
func (s *Store) AnswerPreview(ctx context.Context, id jobs.ID, owner string, answer []byte) (bool, error) {
	v, err := s.word(ctx, s.scripts.answerPreview, id.Partition(), string(id), owner, string(answer))
	return v == "kept", err
}

// PreviewState implements [jobs.Previews].
func (s *Store) PreviewState(ctx context.Context, id jobs.ID) (jobs.PreviewState, error) {
	v, err := s.rdb.HMGet(ctx, key(id.Partition(), "preview:", string(id)), "until", "answer").Result()
	if err != nil {
		return jobs.PreviewState{}, unavailable(err)
	}
	state := jobs.PreviewState{Wanted: v[0] != nil}
	if v[1] != nil {
		state.Answer = []byte(text(v[1]))
	}
	return state, nil
}

// ForgetPreview implements [jobs.Previews].
func (s *Store) ForgetPreview(ctx context.Context, id jobs.ID) error {
	return unavailable(s.rdb.Del(ctx, key(id.Partition(), "preview:", string(id))).Err())
}
