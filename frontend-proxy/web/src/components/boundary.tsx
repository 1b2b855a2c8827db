import { Component, type ReactNode } from "react";

import { Failure } from "./parts";

interface Props {
  /** What stands inside, as in "the list of tests". */
  what: string;
  children: ReactNode;
}

/** Keeps what breaks inside from taking the rest of the page with it. */
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
