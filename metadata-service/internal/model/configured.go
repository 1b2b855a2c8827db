package model

// runners are the privileges of the types whose entities act with rights that their writer may lack: recipes run with every
// secret that they name, forms write properties of assets, connections hold credentials.
var runners = map[string]string{
	"dataHubIngestionSource": "MANAGE_INGESTION", "dataHubExecutionRequest": "MANAGE_INGESTION", "dataHubAction": "MANAGE_INGESTION",
	"form": "MANAGE_DOCUMENTATION_FORMS", "dataHubConnection": "MANAGE_CONNECTIONS",
}

// Runners gives by entity type the privilege over the platform that the right to write any entity of the type amounts to, for
// types whose entities act with rights that their writer may lack. The map must not be changed.
func Runners() map[string]string { return runners }
