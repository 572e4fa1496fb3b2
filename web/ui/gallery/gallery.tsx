// For developers: shows every component with real, long, empty, loading and failing data. Run `npx vite` and open
// /ui/gallery/gallery.html. It is not part of the production build.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ColorSchemeToggle } from '../color-scheme-toggle/color-scheme-toggle.tsx'
import { UiProvider } from '../provider.tsx'
import { SkipLink } from '../visually-hidden/visually-hidden.tsx'
import { BasicsGallery } from './basics.tsx'
import { DialogsGallery } from './dialogs.tsx'
import { FieldsGallery } from './fields.tsx'
import { FiltersGallery } from './filters.tsx'
import styles from './gallery.module.css'
import { MailsGallery } from './mails.tsx'
import { PlacesGallery } from './places.tsx'
import { TablesGallery } from './tables.tsx'

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
          <FiltersGallery />
          <FieldsGallery />
          <DialogsGallery />
          <PlacesGallery />
          <MailsGallery />
        </main>
      </UiProvider>
    </StrictMode>,
  )
}
