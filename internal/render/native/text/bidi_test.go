package text_test

import (
	"fmt"
	"testing"

	"github.com/platen-render/platen/internal/render/native/text"
)

// mixed are sentences of both directions: numbers after text from right to left, brackets, signs and inline boxes.
var mixed = []string{
	"Hello שלום 123!",
	"Invoice for <b>عالم</b> 12 (net)",
	"Firma אבג בע\"מ, ת.ד. 123, Haifa",
	"Hello عالم 123! more",
	"Price שלום 5,00 €, then",
	"Invoice رقم 12/34 (عربي) 5%.",
	"Order 12 שלום 34 עולם 56 end 78.",
	"Total: ₪ 1,234.50 (כולל מע\"מ 17%) due 31/12/2025",
	"Phone הטלפון 03-555-1234, fax +972-3-5551235",
	"(שלום) [123] {abc}, (abc שלום 12) and (שלום 12)",
	"שלום 123 abc 456 עולם, 789",
	"النسبة 12.5% من 1,000 ر.س. تقريبا A-12/B",
	"العدد ١٢٣ و ٤٥٦٫٧٨ ثم 90 (٪)",
	"abc عالم ١٢٣, def ٤٥٦! ghi",
	"a <b>שלום <i>12</i></b> 34 <i>(b)</i> <u>עולם</u>5<u>6</u>7!",
	"No. <b style='padding:0 5px;border:1px solid'>עולם 12</b>, 34 (next)",
	"x <span style='padding:0 5px'>שלום <b style='border:1px solid'>12</b> abc</span> עולם 3.",
	"one <span dir=rtl>two 12 (שלום) 3!</span> four 5, שלום 6; end",
	"one <span style='unicode-bidi:isolate-override;direction:rtl'>two 12, שלום 3!</span> four 5",
	"שלום <span dir=ltr>AB-12 (c)</span>, 34 עולם 5 - 6",
	"Item <bdi>שלום 12</bdi> 34, <bdi>abc!</bdi> 5 <bdi>(12)</bdi> x",
	"פריט <bdi>Fjäll 240</bdi>, 240 ס\"מ <bdi>שלום!</bdi> 7 <bdi>a.</bdi> 8",
	"a <bdi>שלום, abc 12!</bdi> b <bdi>abc, שלום 12!</bdi> c <bdi>12 - 34!</bdi>",
	"ש <bdi dir=rtl>abc, 12!</bdi> ש <bdi dir=''>abc, d!</bdi> a <bdi dir=ltr>ש, ם!</bdi>",
	"a <bdi><bdi>ש</bdi> b, ש!</bdi> c <bdi><i dir=ltr>a</i> <i>ש,</i> b!</bdi> d <bdi style='direction:rtl'>a, b!</bdi>",
	"<bdo dir=rtl>ab 12 cd</bdo> 34 שלום <bdo dir=ltr>שלום 12</bdo> 56",
	"עולם " + icon + " 12 " + icon + ", abc",
	"a עולם<br>12 b שלום<br>34! c",
	"a עולם <a href=x>12</a>\u200f! b עולם 3\u200e!",
	"C# שלום C++ 12. -5 שלום -5 +6% #7",
	"12 שלום 34-56 עולם 7:30–8:45 abc",
	"IBAN של: IL62-0108-0000-0009-9999-999 (לאומי)",
	"שלום\u00a012\u00a0abc عالم\u00a034\u00a0ש",
}

// TestMixedDirectionsStandAsInTheBrowser sets the sentences in paragraphs of both directions, with room and with lines that end anywhere.
func TestMixedDirectionsStandAsInTheBrowser(t *testing.T) {
	t.Parallel()
	const page = "<!doctype html><style>*{margin:0}body{font:15px/1.4 'Noto Sans','Noto Sans Hebrew','Noto Sans Arabic'}.case{position:relative;margin-bottom:9px}</style>"
	var all []example
	for _, sentence := range mixed {
		for _, direction := range []string{"ltr", "rtl"} {
			for _, width := range []int{600, 145, 90} {
				all = append(all, example{fmt.Sprintf("width:%dpx;direction:%s", width, direction), sentence})
			}
		}
	}
	compareCases(t, page, all, func(*text.Setter) {})
}
