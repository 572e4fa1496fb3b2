import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followChanges } from './api/live.ts'
import { clearQueriesWithSession, queryClient } from './api/query-client.ts'
import { followOtherTabs } from './api/session.ts'
import { followSession, router } from './routes.tsx'
import { keepInstallPrompt } from './shell/install-prompt.ts'
import { UiProvider } from './ui/provider.tsx'

keepInstallPrompt()
followOtherTabs()
// First the cache, so that nothing of one person is shown to the next.
clearQueriesWithSession()
followSession()
followChanges(queryClient)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const portal = (
  <StrictMode>
    <UiProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  </StrictMode>
)
// With the screen's code, so that it is drawn at once: what follows a fallback of Suspense is held back for 300 ms by React.
void router.load().finally(() => createRoot(root).render(portal))
