package text_test

import "strings"

const (
	english = "The quick brown fox jumps over the lazy dog, and then it rests a little; 12,345.67 or 1-2-3 (see below) self-employed people?"
	german  = "Sehr geehrte Damen und Herren, für die Überweisung von 1.234,56 € am 3. März – wie besprochen – danken wir „herzlich“ und grüßen."
	arabic  = "هذا نص عربي طويل يحتوي على كلمات كثيرة ورقم 123 وبعض English كلمات."
	hebrew  = "שלום עולם, זה טקסט ארוך (עם סוגריים) ומספר 42 וגם word אחת."
	icon    = "<i style='display:inline-block;width:20px;height:31px'></i>"
)

// example is the style of a container, and what is in it.
type example struct{ style, content string }

// quirks are compared in quirks mode.
var quirks = []example{
	{"line-height:40px", "<span style='font-size:10px;line-height:10px'>small</span>"},
	{"line-height:40px", "text <span style='font-size:10px;line-height:10px'>small</span>"},
	{"line-height:40px", "<i style='display:inline-block;width:9px;height:7px'></i>"},
	{"line-height:40px", "<i style='display:inline-block;width:9px;height:7px'></i> x"},
	{"line-height:10px", "<b style='line-height:50px'><i style='line-height:20px'>in</i></b> out"},
	{"line-height:40px", "<span style='font-size:10px;line-height:10px'>a<br>b</span><br>"},
	{"line-height:40px", "<span style='font-size:10px;line-height:10px'>a</span><br><br>"},
	{"line-height:40px", "<b style='line-height:50px;padding:1px'><i style='line-height:20px'>in</i></b>"},
}

// cases are compared as pages of today.
var cases = []example{
	// Lines and blanks.
	{"width:200px", english},
	{"width:97px", english},
	{"width:0", "a bc self-employed a?b x(y) -1 1-2 a/b"},
	{"width:200px;font-family:Noto Serif", german},
	{"width:133px;font-family:Noto Serif;line-height:normal", german},
	{"width:160px;font-family:Noto Sans Mono", german},
	{"width:200px", "  leading <b> and </b> inner   blanks <i> <u> collapse</u></i> across \n boxes  "},
	{"width:200px", "one<br>two <br> three<br><br>five<br>"},
	{"width:200px;white-space:pre", "a  b\n  c\td\n\ne "},
	{"width:100px;white-space:pre-wrap", "one  two   three    four\n  five\tsix  "},
	{"width:100px;white-space:pre-line", "one  two  \n  three four five six\n\nseven"},
	{"width:100px;white-space:break-spaces", "one  two     three      four   five   "},
	{"width:100px;white-space:nowrap", "this does not break <b>at all</b>"},
	{"width:100px", "foo <span style='white-space:nowrap'>bar baz qux</span> quux <span style='white-space:nowrap'>a b c</span>"},
	{"width:60px", "<span style='white-space:nowrap'>foo-</span>bar <span style='white-space:nowrap'>foo bar </span>baz"},
	{"width:200px;tab-size:4;white-space:pre", "a\tbc\tdef\tg"},
	{"width:100px", "a&nbsp;b&nbsp;c long&nbsp;enough&nbsp;to overflow"},
	{"width:100px", "super<wbr>cali<wbr>fragi<wbr>listic"},
	{"width:100px", "super&shy;cali&shy;fragi&shy;listic&shy;expi&shy;ali&shy;docious"},
	{"width:100px;hyphens:none", "super&shy;cali&shy;fragi&shy;listic&shy;expi"},
	// Breaks in words.
	{"width:60px", "incomprehensibilities are long"},
	{"width:60px;overflow-wrap:break-word", "an incomprehensibilities are long"},
	{"width:60px;overflow-wrap:anywhere", "an incomprehensibilities are long"},
	{"width:60px;word-break:break-all", "an incomprehensibilities are, long. 12345678901"},
	{"width:60px;word-break:keep-all", "日本語の文章 です"},
	{"width:70px;overflow-wrap:break-word", "https://example.com/a/long/path?query=1&more=2#part"},
	{"width:1px;overflow-wrap:anywhere", "éabc de"},
	{"width:30px;overflow-wrap:anywhere", "ee\u0301e\u0301e\u0301e\u0301e\u0301 x"},
	// Spacing and alignment.
	{"width:200px;letter-spacing:2px", "office and fine affairs are spaced"},
	{"width:200px;letter-spacing:-0.5px;word-spacing:4px", english},
	{"width:200px;word-spacing:5px", "a&nbsp;b c&nbsp;d e f"},
	{"width:200px;text-align:right", english},
	{"width:200px;text-align:center", english},
	{"width:200px;text-align:justify", english},
	{"width:200px;text-align:justify", "one two three four<br>five six seven&nbsp;eight nine ten eleven twelve <b>thirteen fourteen</b> fifteen"},
	{"width:200px;text-align:justify;text-align-last:justify", "one two three four five six seven"},
	{"width:200px;text-align:end;text-indent:30px", english},
	{"width:200px;text-indent:10%", english},
	{"width:200px;text-indent:-10px;padding-left:10px", english},
	{"width:50px;text-align:center", "overflowing-incomprehensible"},
	{"width:50px;text-align:right", "incomprehensible"},
	{"width:200px;font-kerning:none", "AVAVA To Ty Wa"},
	{"width:200px", "AVAVA To Ty Wa <b>AV</b>AV T<b>o</b> T<i>o</i> T<span>o</span> T<span style='color:red'>o</span>"},
	{"width:200px;font-variant-numeric:tabular-nums", "11111 00000 117"},
	{"width:200px;font-feature-settings:'tnum','kern' 0", "11111 AVAVA"},
	{"width:200px;font-variant-ligatures:none", "office ffi"},
	// Inline boxes.
	{"width:200px", "text <b style='padding:2px 7px;border:1px solid'>with a box that is long enough to break</b> over lines"},
	{"width:200px", "text <b style='margin:0 11px'>with</b><i style='margin-left:-5px'>out</i> <u style='padding-left:20px'></u>end"},
	{"width:100px", "<b style='padding:0 10px'></b>"},
	{"width:100px", "wwwww <b style='padding:0 20px'>wwwww</b> wwwwwwwww<b style='padding-right:20px'>w</b>"},
	{"width:150px", "aaa bbb ccc <b>ddd <i>eee <u>fff ggg</u> hhh</i> iii</b> jjj"},
	{"width:150px", "a<b>b<i>c</i></b>defghi<b>jklmno</b>pqrs<i>tuvw</i>xyz abcde<b>fghi</b>jk"},
	{"width:min-content;overflow-wrap:break-word", "a <b style='padding:0 9px'>incomprehensible</b>, if <i style='margin-left:12px'>it is</i> <u style='padding:0 5px'> so</u>"},
	// Sizes that are no whole units of the browser.
	{"width:700px;font-size:11.0768px", english},
	{"width:700px", strings.Repeat("<b style='padding:0 3.323px 0 3.34px'>a</b> ", 34)},
	{"width:700px;font:12.88px Noto Sans Mono;text-align:right", german},
	// Heights.
	{"width:300px;line-height:normal", "abc <span style='font-size:10px;vertical-align:sub'>x<b style='font-size:20px'>T</b></span>"},
	{"width:300px;line-height:24px", "abc <span style='font-size:10px;vertical-align:super'>x<b style='font-size:20px'>T</b></span>"},
	{"width:300px;line-height:24px", "abc <span style='font-size:10px;vertical-align:middle'>x<b style='font-size:20px'>T</b></span>"},
	{"width:300px;line-height:24px", "abc <span style='font-size:10px;vertical-align:text-top'>x<b style='font-size:20px'>T</b></span>"},
	{"width:300px;line-height:24px", "abc <span style='font-size:10px;vertical-align:text-bottom'>x<b style='font-size:20px'>T</b></span>"},
	{"width:300px;line-height:1.35", "abc <span style='font-size:10px;vertical-align:5px'>x<b style='font-size:20px'>T</b></span>"},
	{"width:300px;line-height:24px", "abc <span style='font-size:10px;vertical-align:50%'>x<b style='font-size:20px'>T</b></span>"},
	{"width:300px;line-height:24px", "abc <span style='font-size:30px;line-height:60px;vertical-align:top'>x<b style='font-size:20px;line-height:1'>T</b></span>"},
	{"width:300px;line-height:24px", "abc <span style='font-size:30px;line-height:60px;vertical-align:bottom'>x<b style='font-size:20px'>T</b></span> <span style='line-height:80px;vertical-align:top'>y</span>"},
	{"width:300px;line-height:11px", "abc <b style='font-size:30px'>big</b> <small>small</small>"},
	{"width:300px;line-height:25px", "odd <b style='font-size:22px'>big</b><sup>2</sup> H<sub>2</sub>O"},
	{"width:300px;line-height:21.7px", "fractions"},
	{"width:300px;line-height:normal", "abc <b style='font-family:Noto Sans Mono'>mono</b> سلام <i style='font-family:Noto Serif'>serif</i>"},
	{"width:300px;line-height:1.5", "abc سلام def"},
	{"width:300px;font-size:14.5px;line-height:normal", "abc"},
	{"width:300px;font-size:9.33px;line-height:normal", "abc<br>def"},
	// Atomic boxes and floats.
	{"width:200px", "one " + icon + " two " + icon + icon + " three " + icon},
	{"width:200px", "text <i style='display:inline-block;width:60px;padding:3px;border:1px solid;margin:4px'>with lines of its own</i> around"},
	{"width:200px", "text <i style='display:inline-block;width:60px;overflow:hidden'>with lines of</i> around"},
	{"width:200px", "a <i style='display:inline-block;width:20px;height:31px;vertical-align:middle'></i> b <i style='display:inline-block;width:20px;height:41px;vertical-align:top'></i> c <i style='display:inline-block;width:20px;height:51px;vertical-align:bottom'></i> d"},
	{"width:200px", "a <i style='display:inline-block;width:20px;height:31px;vertical-align:text-top'></i> b <i style='display:inline-block;width:20px;height:31px;vertical-align:text-bottom'></i> c <i style='display:inline-block;width:20px;height:31px;vertical-align:sub'></i>"},
	{"width:200px", "(<i style='display:inline-block;width:100px;height:5px'></i>) (<i style='display:inline-block;width:120px;height:5px'></i>), end"},
	{"width:200px", "<i style='float:left;width:50px;height:50px'></i>" + english},
	{"width:200px", "The quick <i style='float:right;width:50px;height:30px'></i> brown fox jumps over the lazy dog again and again"},
	{"width:200px", "The quick brown fox jumps ov<i style='float:left;width:50px;height:30px'></i>er the lazy dog again and again"},
	{"width:200px", "<i style='float:left;width:150px;height:30px'></i>incomprehensibilities are here"},
	{"width:200px", "a <span style='visibility:hidden'>hidden one</span> b <span style='position:absolute'>gone</span> c"},
	// Directions.
	{"width:150px;direction:rtl", arabic},
	{"width:150px", arabic},
	{"width:150px;direction:rtl", hebrew},
	{"width:250px;direction:rtl;font-family:Noto Sans,Noto Sans Hebrew", "<b style='padding:0 9px;border:1px solid'>" + hebrew + "</b>"},
	{"width:200px;font-family:Noto Sans,Noto Sans Hebrew", "abc <b style='padding:0 9px;direction:rtl;unicode-bidi:isolate'>" + hebrew + "</b> def"},
	{"width:200px;font-family:Noto Sans,Noto Sans Hebrew", "abc <b>שלום <i style='padding:0 5px'>def</i> עולם</b> ghi 123 שלום 456"},
	{"width:200px", "<bdo dir=rtl>reversed text</bdo> and <bdi>שלום</bdi> 1, 2"},
	{"width:200px;direction:rtl", "<span dir=ltr>LTR text, (here)</span> and this is 12 % of it."},
	{"width:200px;unicode-bidi:plaintext;white-space:pre-line", "שלום abc\nabc שלום!"},
	{"width:150px;direction:rtl;text-align:justify", hebrew},
	{"width:150px;direction:rtl;text-indent:20px;text-align:left", hebrew},
	{"width:150px;font-family:Noto Sans Arabic", "سل<b>ام</b> ال"},
	{"width:10px;overflow-wrap:anywhere", "سلام"},
	// Other scripts and signs.
	{"width:100px", "½ × 3 ≥ 2 … – — „quoted“ so 100 % 5€ €5 §1"},
	{"width:60px", "a–b a—b e.g. 1–2, x/y é/é ü?ü ü!ü"},
}
