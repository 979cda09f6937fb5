package wire

// KernelInfo asks what kernel this is.
var KernelInfo = Request[Empty, KernelInfoReply]{"kernel_info_request"}

// KernelInfoReply is the content of kernel_info_reply.
type KernelInfoReply struct {
	ReplyStatus
	ProtocolVersion       string       `json:"protocol_version"`
	Implementation        string       `json:"implementation"`
	ImplementationVersion string       `json:"implementation_version"`
	LanguageInfo          LanguageInfo `json:"language_info"`
	Banner                string       `json:"banner"`
	Debugger              bool         `json:"debugger"`
	HelpLinks             []HelpLink   `json:"help_links"`
	SupportedFeatures     []string     `json:"supported_features"`
}

// LanguageInfo describes the language to front ends.
type LanguageInfo struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	MIMEType       string `json:"mimetype"`
	FileExtension  string `json:"file_extension"`
	PygmentsLexer  string `json:"pygments_lexer,omitempty"`
	CodeMirrorMode string `json:"codemirror_mode,omitempty"`
}

// HelpLink is an entry of a front end's help menu.
type HelpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}
