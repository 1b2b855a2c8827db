// The workers of the editor as files of this build. The setup module of the package is not used because it
// writes to the console.
import EditorWorker from "monaco-editor/esm/vs/editor/editor.worker.js?worker";
import JsonWorker from "monaco-editor/esm/vs/language/json/json.worker.js?worker";
import GraphQLWorker from "monaco-graphql/esm/graphql.worker.js?worker";

self.MonacoEnvironment = {
  getWorker(_id: string, label: string): Worker {
    switch (label) {
      case "graphql":
        return new GraphQLWorker();
      case "json":
        return new JsonWorker();
      default:
        return new EditorWorker();
    }
  },
};
