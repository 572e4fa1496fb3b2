import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followChanges } from './api/live.ts'
import { clearQueriesWithSession, queryClient } from './api/query-client.ts'
import { followOtherTabs } from './api/session.ts'
import { reloadFailedStyles } from './lib/reload-styles.ts'
import { followSession, router } from './routes.tsx'
import { keepInstallPrompt } from './shell/install-prompt.ts'
import { UiProvider } from './ui/provider.tsx'

keepInstallPrompt()
reloadFailedStyles()
followOtherTabs()
// Subscribed before the guards, so that the next person never sees cached data of the previous one.
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
// Render once the screen's code is loaded: after a Suspense fallback React would delay the content by 300 ms.
void router.load().finally(() => createRoot(root).render(portal))
