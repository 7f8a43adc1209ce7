package pdfium

// Private is for tests.
var Private = private
