import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
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

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  </StrictMode>,
)
