package cli

func templateCommands() []Command {
	return []Command{
		{"init", "Write the templates that come with Platen into a folder", initTemplates},
		{"preview", "Render a stored template, and issue nothing", previewTemplate},
	}
}
