import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

/** The accent colour, from the softest background to the pressed state. Light pages use step 8, dark pages step 3. */
const verdigris: MantineColorsTuple = [
  "#e2f0f0", "#c5e0e1", "#a9cfd1", "#6fc3ca", "#45a3ad", "#268794", "#14737f", "#0d6773", "#0a5f6b", "#074b55",
];

/** The theme of the Mantine components. Values come from tokens.css. */
export const theme = createTheme({
  colors: { verdigris },
  primaryColor: "verdigris",
  primaryShade: { light: 8, dark: 3 },
  autoContrast: true,
  defaultRadius: 6,
  fontFamily: "var(--f-sans)",
  fontFamilyMonospace: "var(--f-mono)",
  headings: { fontFamily: "var(--f-head)", fontWeight: "600" },
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "20px", md: "22px", lg: "24px", xl: "28px" },
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { multiline: true, maw: 280, openDelay: 200, withArrow: false, transitionProps: { duration: 90 }, events: { hover: true, focus: true, touch: true } } },
    Modal: { defaultProps: { centered: true, radius: 10, padding: 24, size: 560, transitionProps: { duration: 90 }, closeButtonProps: { "aria-label": "Close" } } },
    // A menu moves the focus to its first item. The focus placeholder of Mantine must not be in a menu
    // (WAI-ARIA 1.2, 5.2.5).
    Menu: { defaultProps: { shadow: "md", transitionProps: { duration: 90 }, position: "bottom-end", returnFocus: true, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { shadow: "md", transitionProps: { duration: 90 } } },
    TextInput: { defaultProps: { size: "sm" } },
  },
});

/** Maps Mantine's variables to the design tokens, which depend on the colour scheme. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {
    "--mantine-color-body": "var(--c-sheet)",
    "--mantine-color-text": "var(--c-ink)",
    "--mantine-color-dimmed": "var(--c-ink-2)",
    "--mantine-color-placeholder": "var(--c-ink-3)",
    "--mantine-color-default": "var(--c-sheet)",
    "--mantine-color-default-hover": "var(--c-hover)",
    "--mantine-color-default-color": "var(--c-ink)",
    "--mantine-color-default-border": "var(--c-line-3)",
    "--mantine-color-error": "var(--c-bad)",
    "--mantine-color-anchor": "var(--c-accent)",
    "--mantine-color-disabled": "var(--c-sunk)",
    "--mantine-color-disabled-color": "var(--c-ink-3)",
    "--mantine-color-disabled-border": "var(--c-line-2)",
    "--mantine-shadow-md": "var(--shadow-2)",
    "--mantine-shadow-xl": "var(--shadow-3)",
  },
  light: {},
  dark: {},
});
