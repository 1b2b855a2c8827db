package model

// runPrivileges holds the privileges of types whose entities act with privileges that their writer
// may lack: recipes run with every secret that they name, forms write properties of assets,
// connections hold credentials.
var runPrivileges = map[string]string{
	"dataHubIngestionSource": "MANAGE_INGESTION", "dataHubExecutionRequest": "MANAGE_INGESTION", "dataHubAction": "MANAGE_INGESTION",
	"form": "MANAGE_DOCUMENTATION_FORMS", "dataHubConnection": "MANAGE_CONNECTIONS",
}

// Runners returns, by entity type, the platform privilege that is equivalent to the privilege to
// write any entity of the type, for types whose entities act with privileges that their writer may
// lack. The map must not be modified.
func Runners() map[string]string { return runPrivileges }
