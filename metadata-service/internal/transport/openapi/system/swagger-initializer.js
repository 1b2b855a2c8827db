// Starts the page of the OpenAPI documents. All addresses are relative, so that it works under every prefix.
//
// The documents want somebody who is signed in, or an access token. Behind the frontend proxy the session of the browser
// is enough. Where there is none the page asks for a token, which it holds until it is left and stores nowhere.
window.onload = function () {
  "use strict";
  const documents = "../v3/api-docs";
  const scheme = "token"; // its name in the documents

  const bearer = (token) => ({ Authorization: "Bearer " + token });
  const read = (token) => fetch(documents + "/swagger-config", { headers: token ? bearer(token) : {} });

  function start(config, token) {
    // The choice of a document is in the address, where the page puts it.
    const chosen = new URLSearchParams(location.search).get("urls.primaryName");
    if (config.urls.some(({ name }) => name === chosen)) {
      config["urls.primaryName"] = chosen;
    }
    const ofDocuments = new URL(documents, location.href).pathname;
    window.ui = SwaggerUIBundle({
      ...config,
      dom_id: "#swagger-ui",
      deepLinking: true,
      docExpansion: "none",
      validatorUrl: null, // it would send documents to a foreign host
      presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
      layout: "StandaloneLayout",
      // Requests that are tried out carry what Authorize says, so that signing out there works.
      requestInterceptor(request) {
        const { origin, pathname } = new URL(request.url, location.href);
        if (token && origin === location.origin && pathname.startsWith(ofDocuments)) {
          Object.assign(request.headers, bearer(token));
        }
        return request;
      },
      onComplete() {
        if (token) {
          window.ui.preauthorizeApiKey(scheme, token);
        }
      },
    });
  }

  // element makes one with text or children in it.
  function element(name, attributes, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    made.append(...content);
    return made;
  }

  function ask(ended) {
    const field = element("input", { id: "token", type: "password", autocomplete: "off", required: "", spellcheck: "false" });
    const refusal = element("p", { role: "alert" });
    const form = element(
      "form",
      { class: "auth-container" },
      element("p", {}, element("label", { for: "token" }, "Access token")),
      field,
      " ",
      element("button", { type: "submit", class: "btn" }, "Show the documents"),
      refusal,
    );
    const main = element(
      "main",
      { class: "wrapper information-container" },
      element("h1", { class: "title" }, "OpenAPI documents"),
      element("p", {}, "They are shown to who is signed in, or has an access token. People make tokens in the catalog under Settings, Access tokens. On the machine of the service, this makes one:"),
      element("pre", {}, "metadata-service token create --actor NAME --name TEXT"),
      form,
    );
    if (ended) {
      main.append(element("p", {}, "The session of this browser has ended. ", element("a", { href: location.href.split("#")[0] }, "Load the page again"), " to sign in."));
    }
    document.getElementById("swagger-ui").replaceChildren(element("div", { class: "swagger-ui" }, main));
    field.focus();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const token = field.value.trim();
      refusal.textContent = "";
      // A header takes no other characters, and no token has any.
      if (!/^[!-~]+$/.test(token)) {
        refusal.textContent = "This is no access token: it has blanks or letters in it that no token has.";
        return;
      }
      read(token)
        .then(async (answer) => {
          if (answer.ok) {
            start(await answer.json(), token);
          } else {
            refusal.textContent = answer.status === 401 ? "This token is not valid." : "The documents are not there just now (" + answer.status + "). Try again.";
          }
        })
        .catch(() => {
          refusal.textContent = "The service cannot be reached. Try again.";
        });
    });
  }

  read("")
    .then(async (answer) => {
      if (answer.ok) {
        start(await answer.json(), "");
      } else if (answer.status === 401) {
        ask((answer.headers.get("WWW-Authenticate") || "").includes("invalid_token"));
      } else {
        document.getElementById("swagger-ui").textContent = "The documents are not there just now (" + answer.status + "). Load the page again.";
      }
    })
    .catch(() => {
      document.getElementById("swagger-ui").textContent = "The service cannot be reached. Load the page again.";
    });
};
