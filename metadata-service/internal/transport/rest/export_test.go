package rest

// What the fuzz tests and benchmarks look at without a server around it.
var (
	ListParam       = listParam
	ReadProposals   = readProposals
	ReadAny         = readAnyProposals
	ReadPlain       = readPlainProposals
	ReadHead        = readHead
	UnescapeUnicode = unescapeUnicode
	ParseStamp      = parseStamp
)
