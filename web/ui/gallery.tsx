// For developers: every part with real, long, empty, loading and failing data. `npx vite`, then /ui/gallery.html.
// It is no input of the production build.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ColorSchemeToggle } from './color-scheme-toggle.tsx'
import { BasicsGallery } from './gallery/basics.tsx'
import { DialogsGallery } from './gallery/dialogs.tsx'
import { FieldsGallery } from './gallery/fields.tsx'
import styles from './gallery/gallery.module.css'
import { PlacesGallery } from './gallery/places.tsx'
import { TablesGallery } from './gallery/tables.tsx'
import { UiProvider } from './provider.tsx'
import { SkipLink } from './visually-hidden.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <UiProvider>
        <SkipLink />
        <main id="main" className={styles.gallery}>
          <div>
            <ColorSchemeToggle />
          </div>
          <BasicsGallery />
          <TablesGallery />
          <FieldsGallery />
          <DialogsGallery />
          <PlacesGallery />
        </main>
      </UiProvider>
    </StrictMode>,
  )
}
