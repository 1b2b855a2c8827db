// Modules that come without types, and what the editor looks for in the page.
declare module "graphiql/graphiql.css";
declare module "@graphiql/*/style.css";
interface Window {
  MonacoEnvironment?: { getWorker(id: string, label: string): Worker };
}
