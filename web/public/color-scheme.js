// Runs before the first paint, so that a dark portal never flashes white. A file and not inline: the content security
// policy admits no inline scripts. web/ui/color-scheme-toggle/color-scheme.ts stores what is chosen, under the same key.
try {
  document.documentElement.dataset.colorScheme = localStorage.getItem('color-scheme') ?? 'auto'
} catch {
  // Storage may be forbidden: the portal then looks as the system does.
}
