package rest

// Functions for fuzz tests and benchmarks, which run without a server.
var (
	ListParam       = listParam
	ReadProposals   = readProposals
	ReadAny         = readAnyProposals
	ReadPlain       = readPlainProposals
	ReadHead        = readHead
	UnescapeUnicode = unescapeUnicode
	ParseStamp      = parseStamp
)
