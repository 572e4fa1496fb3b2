import { config } from 'zod/mini'

// The page's content security policy forbids code that is compiled at run time. Said before a schema is made.
config({ jitless: true })
