package api_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
)

// requests and responses are the structs by the name of their schema. What travels both ways does not exist.
func requests() map[string]any {
	return map[string]any{
		"JobRequest": api.JobRequest{}, "Template": api.Template{}, "Output": api.Output{}, "Metadata": api.Metadata{}, "Margin": api.Margin{},
		"WaitFor": api.WaitFor{}, "Expect": api.Expect{}, "ExpectPages": api.ExpectPages{}, "Cache": api.Cache{},
		"LinkRequest": api.LinkRequest{}, "TemplateRequest": api.TemplateRequest{}, "KeyRequest": api.KeyRequest{}, "ReplayRequest": api.ReplayRequest{}, "TestRequest": api.TestRequest{},
		"TenantPatch": api.TenantPatch{}, "SecretRequest": api.SecretRequest{}, "ResealRequest": api.ResealRequest{},
		"BatchRequest": api.BatchRequest{}, "BatchRetryRequest": api.BatchRetryRequest{},
		"RerenderRequest": api.RerenderRequest{}, "PreviewRequest": api.PreviewRequest{},
	}
}

func responses() map[string]any {
	return map[string]any{
		"Job": api.Job{}, "TemplateVersion": api.TemplateVersion{}, "JobList": api.JobList{}, "Warning": api.Warning{}, "Result": api.Result{},
		"Batch": api.Batch{}, "BatchCounts": api.BatchCounts{}, "ExpectedKeys": api.ExpectedKeys{}, "BatchError": api.BatchError{}, "BatchList": api.BatchList{},
		"BatchItem": api.BatchItem{}, "BatchItemList": api.BatchItemList{},
		"JobChange": api.JobChange{}, "BatchChange": api.BatchChange{}, "TenantSnapshot": api.TenantSnapshot{}, "JobCounts": api.JobCounts{},
		"JobError": api.JobError{}, "CallbackState": api.CallbackState{}, "Document": api.Document{}, "Link": api.Link{},
		"Delivery": api.Delivery{}, "DeliveryAttempt": api.DeliveryAttempt{}, "DeliveryList": api.DeliveryList{},
		"DeliveryReplay": api.DeliveryReplay{}, "Replay": api.Replay{}, "ReplayFilter": api.ReplayFilter{}, "ReplayList": api.ReplayList{},
		"ReplayCount": api.ReplayCount{}, "GoneURL": api.GoneURL{}, "GoneURLList": api.GoneURLList{}, "Tenant": api.Tenant{},
		"TenantSecret": api.TenantSecret{}, "TenantList": api.TenantList{}, "TenantLimits": api.TenantLimits{}, "TenantUsage": api.TenantUsage{}, "SecretCreated": api.SecretCreated{}, "Resealed": api.Resealed{},
		"Rerender": api.Rerender{}, "Difference": api.Difference{}, "Preview": api.Preview{},
		"Receipt": api.Receipt{}, "ReceiptInput": api.ReceiptInput{}, "ReceiptTemplate": api.ReceiptTemplate{}, "ReceiptResource": api.ReceiptResource{},
		"ReceiptEngine": api.ReceiptEngine{}, "ReceiptOutput": api.ReceiptOutput{}, "ReceiptMargin": api.ReceiptMargin{}, "ReceiptWait": api.ReceiptWait{},
		"ReceiptExpect": api.ReceiptExpect{}, "SignedReceipt": api.SignedReceipt{}, "Signature": api.Signature{}, "SigningKey": api.SigningKey{},
		"SignedManifest": api.SignedManifest{}, "Manifest": api.Manifest{}, "ManifestCounts": api.ManifestCounts{}, "ManifestEntry": api.ManifestEntry{},
		"SigningKeyList": api.SigningKeyList{}, "IssuedNumber": api.IssuedNumber{}, "IssuedNumberList": api.IssuedNumberList{},
		"Verification": api.Verification{}, "VerifiedDocument": api.VerifiedDocument{}, "PublicVerification": api.PublicVerification{},
		"Key": api.Key{}, "KeyCreated": api.KeyCreated{}, "KeyList": api.KeyList{},
		"StoredTemplate": api.StoredTemplate{}, "TemplateContent": api.TemplateContent{}, "TemplateList": api.TemplateList{},
		"StoredAsset": api.StoredAsset{}, "AssetList": api.AssetList{},
		"Health": api.Health{}, "HealthCheck": api.HealthCheck{}, "Event": api.Event{}, "EventData": api.EventData{}, "BatchEvent": api.BatchEvent{}, "BatchEventData": api.BatchEventData{},
		"Problem": api.Problem{}, "FieldError": api.FieldError{},
	}
}

// likeJobs are the objects that are read as a [api.JobRequest], with the members that they lack and have beyond it.
var likeJobs = map[string]struct{ without, with []string }{
	"BatchItemRequest": {without: aboutReporting},
	"BatchDefaults":    {without: append([]string{"document_key"}, aboutReporting...)},
	"MendedItem":       {without: aboutReporting, with: []string{"index"}},
}

var aboutReporting = []string{"callback_url", "callback_secret", "callback_headers", "priority"}

func TestItemsOfBatchesAreLikeJobs(t *testing.T) {
	t.Parallel()
	doc := load(t)
	for name, is := range likeJobs {
		want := slices.Clone(is.with)
		for member := range doc.Components.Schemas["JobRequest"].Value.Properties {
			if !slices.Contains(is.without, member) {
				want = append(want, member)
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(doc.Components.Schemas[name].Value.Properties))); diff != "" {
			t.Errorf("%s (-job +item):\n%s", name, diff)
		}
	}
}

func TestEveryObjectOfTheSpecHasAStruct(t *testing.T) {
	t.Parallel()
	structs := slices.Concat(slices.Collect(maps.Keys(requests())), slices.Collect(maps.Keys(responses())), []string{"JobForm"}, slices.Collect(maps.Keys(likeJobs)))
	var objects []string
	for name, ref := range load(t).Components.Schemas {
		if ref.Value.Type.Is(openapi3.TypeObject) {
			objects = append(objects, name)
		}
	}
	slices.Sort(structs)
	slices.Sort(objects)
	if diff := cmp.Diff(structs, objects); diff != "" {
		t.Errorf("(-structs +objects):\n%s", diff)
	}
}

func TestStructsHaveTheMembersOfTheirSchemas(t *testing.T) {
	t.Parallel()
	doc := load(t)
	all := responses()
	maps.Copy(all, requests())
	for name, value := range all {
		properties := doc.Components.Schemas[name].Value.Properties
		members := membersOf(reflect.TypeOf(value))
		_, request := requests()[name]
		if diff := cmp.Diff(slices.Sorted(maps.Keys(members)), slices.Sorted(maps.Keys(properties))); diff != "" {
			t.Errorf("%s (-struct +schema):\n%s", name, diff)
			continue
		}
		for member, field := range members {
			want, got := jsonTypes(properties[member].Value), goTypes(field.Type)
			if request {
				got = slices.DeleteFunc(got, func(s string) bool { return s == openapi3.TypeNull })
			}
			// What this version always answers with null has its type in Go only.
			if len(want) == 0 || slices.Equal(want, []string{openapi3.TypeNull}) {
				continue
			}
			if !slices.Equal(want, got) {
				t.Errorf("%s.%s: the schema says %q, %v makes %q", name, member, want, field.Type, got)
			}
		}
	}
}

func TestAnswersHaveEveryMemberAlways(t *testing.T) {
	t.Parallel()
	doc := load(t)
	for name, value := range responses() {
		schema := doc.Components.Schemas[name].Value
		if diff := cmp.Diff(slices.Sorted(maps.Keys(schema.Properties)), slices.Sorted(slices.Values(schema.Required))); diff != "" {
			t.Errorf("%s: members that are not required (-properties +required):\n%s", name, diff)
		}
		for member, field := range membersOf(reflect.TypeOf(value)) {
			if strings.Contains(field.Tag.Get("json"), "omit") {
				t.Errorf("%s.%s can be left out", name, member)
			}
		}
	}
}

func TestRequestsCanLeaveEveryMemberOut(t *testing.T) {
	t.Parallel()
	for name, value := range requests() {
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != "{}" {
			t.Errorf("%s: the zero value is %s", name, data)
		}
	}
}

func TestRequiredMembersOfRequestsAreMarked(t *testing.T) {
	t.Parallel()
	doc := load(t)
	for name, value := range requests() {
		var marked []string
		for member, field := range membersOf(reflect.TypeOf(value)) {
			if field.Tag.Get("required") == "true" {
				marked = append(marked, member)
			}
		}
		slices.Sort(marked)
		if diff := cmp.Diff(slices.Sorted(slices.Values(doc.Components.Schemas[name].Value.Required)), marked); diff != "" {
			t.Errorf("%s (-schema +struct):\n%s", name, diff)
		}
	}
}

func TestExamplesSurviveTheStructs(t *testing.T) {
	t.Parallel()
	doc := load(t)
	targets := map[string]func() any{
		"QueuedJob": func() any { return new(api.Job) }, "SucceededJob": func() any { return new(api.Job) }, "FailedJob": func() any { return new(api.Job) },
		"IssuedDocument": func() any { return new(api.Document) }, "DeliveryPage": func() any { return new(api.DeliveryList) },
		"Link": func() any { return new(api.Link) }, "Rerender": func() any { return new(api.Rerender) }, "KeyCreated": func() any { return new(api.KeyCreated) },
		"Ready": func() any { return new(api.Health) }, "Unready": func() any { return new(api.Health) }, "Event": func() any { return new(api.Event) },
		"BatchEvent":    func() any { return new(api.BatchEvent) },
		"SignedReceipt": func() any { return new(api.SignedReceipt) }, "SigningKeys": func() any { return new(api.SigningKeyList) },
		"SignedManifest": func() any { return new(api.SignedManifest) },
		"Replay":         func() any { return new(api.Replay) }, "TenantPage": func() any { return new(api.TenantList) }, "SecretCreated": func() any { return new(api.SecretCreated) },
		"RunningBatch": func() any { return new(api.Batch) }, "CompletedBatch": func() any { return new(api.Batch) },
		"BatchItemPage": func() any { return new(api.BatchItemList) }, "BatchRefused": func() any { return new(api.Problem) },
		"LimitReached": func() any { return new(api.Problem) },
		"KeyMissing":   func() any { return new(api.Problem) }, "DocumentKeyConflict": func() any { return new(api.Problem) },
	}
	for name, ref := range doc.Components.Examples {
		target := targets[name]
		if target == nil {
			t.Errorf("%s: no struct is meant for this example", name)
			continue
		}
		checkRoundTrip(t, name, ref.Value.Value, target())
	}
	for name, ref := range doc.Paths.Value("/jobs").Post.RequestBody.Value.Content["application/json"].Examples {
		checkRoundTrip(t, name, ref.Value.Value, new(api.JobRequest))
	}
}

// checkRoundTrip decodes an example strictly, encodes it and expects the same JSON.
func checkRoundTrip(t *testing.T, name string, example, target any) {
	t.Helper()
	before, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(before))
	dec.DisallowUnknownFields()
	if err := dec.Decode(target); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	after, err := json.Marshal(target)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(before, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(after, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-example +struct):\n%s", name, diff)
	}
}

func TestDataAndMetadataKeepTheirBytes(t *testing.T) {
	t.Parallel()
	const data, metadata = `{"b":1.10,"a":12345678901234567890}`, `{"n":1e2,"m":1.0}`
	var req api.JobRequest
	if err := json.Unmarshal([]byte(`{"data":`+data+`,"metadata":`+metadata+`}`), &req); err != nil {
		t.Fatal(err)
	}
	if string(req.Data) != data || string(req.Metadata) != metadata {
		t.Errorf("got %s and %s", req.Data, req.Metadata)
	}
}

func TestThePartsOfTheFormAreThoseOfTheSpec(t *testing.T) {
	t.Parallel()
	parts := []string{api.PartFile, api.PartHTML, api.PartJob, api.PartMarkdown}
	form := load(t).Components.Schemas["JobForm"].Value.Properties
	if diff := cmp.Diff(parts, slices.Sorted(maps.Keys(form))); diff != "" {
		t.Errorf("(-constants +schema):\n%s", diff)
	}
}

func membersOf(typ reflect.Type) map[string]reflect.StructField {
	members := map[string]reflect.StructField{}
	for _, field := range reflect.VisibleFields(typ) {
		if field.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		members[name] = field
	}
	return members
}

// jsonTypes returns the JSON types that a schema allows, sorted; none when it does not say.
func jsonTypes(s *openapi3.Schema) []string {
	var types []string
	if s.Type != nil {
		types = slices.Clone(s.Type.Slice())
	}
	for _, ref := range s.AnyOf {
		types = append(types, jsonTypes(ref.Value)...)
	}
	slices.Sort(types)
	return types
}

// goTypes returns the JSON types that encoding/json makes of a Go type, sorted. A nil slice or map is not meant
// to be sent; a nil pointer is null in an answer, and left out of a request.
func goTypes(typ reflect.Type) []string {
	switch typ {
	case reflect.TypeFor[time.Time]():
		return []string{openapi3.TypeString}
	case reflect.TypeFor[json.RawMessage]():
		return []string{openapi3.TypeNull, openapi3.TypeObject}
	}
	switch typ.Kind() {
	case reflect.Pointer:
		types := append(goTypes(typ.Elem()), openapi3.TypeNull)
		slices.Sort(types)
		return types
	case reflect.Struct, reflect.Map:
		return []string{openapi3.TypeObject}
	case reflect.Slice:
		return []string{openapi3.TypeArray}
	case reflect.String:
		return []string{openapi3.TypeString}
	case reflect.Int, reflect.Int64:
		return []string{openapi3.TypeInteger}
	case reflect.Float64:
		return []string{openapi3.TypeNumber}
	case reflect.Bool:
		return []string{openapi3.TypeBoolean}
	default:
		return []string{"no JSON type: " + typ.String()}
	}
}
