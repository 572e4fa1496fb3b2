import { describe, expect, it } from 'vitest'
import { findMisspeltSettings } from './misspelt-settings.ts'

describe('a setting with a misspelt name', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['BACKUPS_TO', 'BACKUP_TO'],
    ['SMTP_URI', 'SMTP_URL'],
    ['session_hours', 'SESSION_HOURS'],
    ['NEW_SECRETKEY', 'NEW_SECRET_KEY'],
  ])('is found: %s', (name, meant) => {
    expect(findMisspeltSettings({ [name]: 'any', DATA_DIR: './data', PATH: '/bin' })).toEqual([{ name, meant }])
  })

  it('is not found among those of other programs, or when it is empty', () => {
    const others = { HOME: '/root', HOSTS: 'a', PORTS: '1', S3_SERVICE_PORT: '80', DATABASE_HOST: 'a', LOG_FILE: 'a' }
    expect(findMisspeltSettings({ ...others, NEW_SECRET_KEY: 'any', SMTP_URI: '' })).toEqual([])
  })
})
