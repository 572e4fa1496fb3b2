import { config } from 'zod/mini'

// The page's content security policy forbids code generated at run time. Must run before any schema is created.
config({ jitless: true })
