import { Component, type ReactNode } from "react";

import { Failure } from "./parts";

interface Props {
  /** The name of the content, as in "the list of tests". */
  what: string;
  children: ReactNode;
}

/** An error boundary: a rendering error inside it does not affect the rest of the page. */
export class Boundary extends Component<Props, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error !== null) {
      return <Failure what={this.props.what} error={this.state.error} onRetry={() => this.setState({ error: null })} />;
    }
    return this.props.children;
  }
}
