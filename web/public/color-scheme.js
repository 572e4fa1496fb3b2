// Runs before the first paint, so that a dark portal never flashes white. A file and not inline: the content security
// policy admits no inline scripts. The key is the one that web/ui/provider.tsx gives the component library.
function findChosenScheme() {
  try {
    return localStorage.getItem('color-scheme')
  } catch {
    return null // storage may be forbidden
  }
}

function toScheme(chosen) {
  if (chosen === 'dark' || chosen === 'light') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

document.documentElement.setAttribute('data-mantine-color-scheme', toScheme(findChosenScheme()))
