// Modules without types, and the global variable that the editor reads.
declare module "graphiql/graphiql.css";
declare module "@graphiql/*/style.css";
interface Window {
  MonacoEnvironment?: { getWorker(id: string, label: string): Worker };
}
