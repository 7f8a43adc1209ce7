package cli

func batchCommands() []Command {
	return []Command{
		{"manifest", "Save or check the signed list of what has become of a batch", batchManifest},
	}
}
