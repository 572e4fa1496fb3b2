// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import type { LoginResponse } from '#contract/auth.ts'

const person = { _id: 'staff-1', firstname: 'Thandi', lastname: 'Nkosi', email: 't@x.co', phoneNumber: '', role: '' }
const login: LoginResponse = { ...person, user: person, token: 'secret', auth_page: ['7', '2'], message: 'Signed in' }

/** Loads the module again: it reads the storage on load, as after a page load. */
async function load() {
  vi.resetModules()
  return import('./session.ts')
}

beforeEach(() => localStorage.clear())

test('stores a session in three items, and restores it from them', async () => {
  const first = await load()
  first.startSession(login)
  expect(localStorage.getItem('token')).toBe('secret')
  expect(localStorage.getItem('auth_page')).toBe('["7","2"]')
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(login)
  const second = await load()
  expect(second.getSession()).toEqual({
    token: 'secret',
    pages: [2, 7],
    viewOnlyPages: [],
    locations: null,
    mustSetUp: undefined,
    viewAs: null,
    userData: login,
  })
  expect(second.getUserId(second.getSession())).toBe('staff-1')
})

test('replaces the token in memory and storage, and keeps the same person', async () => {
  const { startSession, getSession, isSamePerson, renewToken } = await load()
  startSession(login)
  const before = getSession()
  renewToken('another')
  expect(getSession()).toMatchObject({ token: 'another', userData: { token: 'another', firstname: 'Thandi' } })
  expect(localStorage.getItem('token')).toBe('another')
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual({ ...login, token: 'another' })
  expect(isSamePerson(before, getSession())).toBe(true)
})

test('finds a new token stored by another tab, and tells whether it belongs to the same person', async () => {
  const { startSession, getSession, hasNewToken, isSamePerson } = await load()
  startSession(login)
  const sentWith = getSession()
  if (!sentWith) throw new Error('Nobody is signed in')
  expect(hasNewToken(sentWith)).toBe(false)
  localStorage.setItem('user', JSON.stringify({ ...login, token: 'another' }))
  localStorage.setItem('token', 'another')
  expect(hasNewToken(sentWith)).toBe(true)
  expect(getSession()?.token).toBe('another')
  const user = { ...person, _id: 'staff-2' }
  localStorage.setItem('user', JSON.stringify({ ...login, ...user, user, token: 'third' }))
  localStorage.setItem('token', 'third')
  expect(hasNewToken(sentWith)).toBe(false)
  expect(getSession()?.userData?._id).toBe('staff-2')
  expect(isSamePerson(sentWith, getSession())).toBe(false)
})

test('recognises the same person by the token, even without user data', async () => {
  const { startSession, getSession, isSamePerson } = await load()
  startSession(login)
  const session = getSession()
  if (!session) throw new Error('Nobody is signed in')
  expect(isSamePerson(session, { ...session, userData: undefined })).toBe(true)
  expect(isSamePerson(session, undefined)).toBe(false)
})

test.each([
  ['no token', { auth_page: '["1"]' }],
  ['an empty token', { token: '', auth_page: '["1"]' }],
  ['no pages', { token: 'secret' }],
  ['broken pages', { token: 'secret', auth_page: '[1' }],
  ['pages that are no list', { token: 'secret', auth_page: '"1"' }],
])('restores nothing from %s', async (_, items) => {
  for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value)
  expect((await load()).getSession()).toBeUndefined()
})

test('restores token and pages when the user data cannot be read', async () => {
  localStorage.setItem('token', 'secret')
  localStorage.setItem('auth_page', '["2","99","x",3]')
  localStorage.setItem('user', '{')
  const { getSession, getUserId } = await load()
  expect(getSession()).toEqual({
    token: 'secret',
    pages: [2, 3],
    viewOnlyPages: [],
    locations: null,
    mustSetUp: undefined,
    viewAs: null,
    userData: undefined,
  })
  expect(getUserId(getSession())).toBeUndefined()
})

test('reads the person’s id from the login response itself when it has no user', async () => {
  const { getUserId, startSession, getSession } = await load()
  const { user: _, ...rest } = login
  // An API of another version may respond without `user`.
  startSession(rest as LoginResponse)
  expect(getUserId(getSession())).toBe('staff-1')
})

test('removes all three items when the session ends, stores the reason, and notifies listeners', async () => {
  const { endSession, getSession, getSessionEnd, startSession, subscribeSession } = await load()
  const listener = vi.fn<() => void>()
  subscribeSession(listener)
  startSession(login)
  endSession('expired')
  expect(getSession()).toBeUndefined()
  expect(getSessionEnd()).toBe('expired')
  expect(['token', 'auth_page', 'user'].map((item) => localStorage.getItem(item))).toEqual([null, null, null])
  expect(listener).toHaveBeenCalledTimes(2)
  startSession(login)
  expect(getSessionEnd()).toBeUndefined()
})

test('updates pages, levels and locations, and notifies no listener when the pages are the same', async () => {
  const { getSession, startSession, subscribeSession, updateAccess } = await load()
  startSession(login)
  const listener = vi.fn<() => void>()
  subscribeSession(listener)
  updateAccess({ pages: ['2', '7'], viewOnlyPages: [''] })
  expect(listener).not.toHaveBeenCalled()
  updateAccess({ pages: ['3'] })
  expect(getSession()?.pages).toEqual([3])
  expect(localStorage.getItem('auth_page')).toBe('["3"]')
  updateAccess({ viewOnlyPages: ['3'] })
  expect(getSession()?.viewOnlyPages).toEqual([3])
  updateAccess({ locations: ['a'] })
  updateAccess({ pages: ['3'] })
  expect(getSession()?.locations).toEqual(['a'])
  updateAccess({ locations: null })
  updateAccess({ pages: [''] })
  expect(getSession()?.pages).toEqual([])
})

test('takes no access away while there is unsaved input, also when another tab does', async () => {
  const { followOtherTabs, getSession, keepRefusedSession, startSession, updateAccess } = await load()
  const stop = followOtherTabs()
  startSession(login)
  let isUnsaved = true
  keepRefusedSession(() => isUnsaved)
  const less = [{ pages: ['7'] }, { viewOnlyPages: ['2'] }, { locations: ['a'] }]
  for (const access of less) updateAccess(access)
  expect(getSession()).toMatchObject({ pages: [2, 7], viewOnlyPages: [], locations: null })
  updateAccess({ pages: ['2', '3', '7'], viewOnlyPages: ['3'] })
  expect(getSession()).toMatchObject({ pages: [2, 3, 7], viewOnlyPages: [3] })
  localStorage.setItem('auth_page', '["7"]')
  const followOther = () =>
    window.dispatchEvent(new StorageEvent('storage', { key: 'auth_page', storageArea: localStorage }))
  followOther()
  expect(getSession()?.pages).toEqual([2, 3, 7])
  isUnsaved = false
  followOther()
  expect(getSession()?.pages).toEqual([7])
  for (const access of less) updateAccess(access)
  expect(getSession()).toMatchObject({ pages: [7], viewOnlyPages: [2], locations: ['a'] })
  stop()
})

test('follows sign-ins and sign-outs in other tabs', async () => {
  const { followOtherTabs, getSession, startSession } = await load()
  const stop = followOtherTabs()
  startSession(login)
  localStorage.removeItem('token')
  window.dispatchEvent(new StorageEvent('storage', { key: 'token', storageArea: localStorage }))
  expect(getSession()).toBeUndefined()
  localStorage.setItem('token', 'other')
  window.dispatchEvent(new StorageEvent('storage', { key: 'token', storageArea: localStorage }))
  expect(getSession()?.token).toBe('other')
  stop()
})

test('expires with other tabs, but is kept for what is typed here', async () => {
  const { followOtherTabs, getKept, getSession, getSessionEnd, keepRefusedSession, startSession } = await load()
  const stop = followOtherTabs()
  let isUnsaved = true
  keepRefusedSession(() => isUnsaved)
  startSession(login)
  const expireThere = () => {
    localStorage.removeItem('token')
    for (const newValue of ['', null])
      window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue, storageArea: localStorage }))
  }
  expireThere()
  expect(getKept()).toBe('expired')
  expect(getSession()).toBeDefined()
  startSession({ ...login, token: 'new' })
  isUnsaved = false
  expireThere()
  expect(getSession()).toBeUndefined()
  expect(getSessionEnd()).toBe('expired')
  stop()
})

test('becomes a view of a colleague when the server says so, survives a reload, and becomes one’s own again', async () => {
  const first = await load()
  first.startSession(login)
  const told = vi.fn<() => void>()
  first.subscribeSession(told)
  const colleague = { pages: ['3'], viewOnlyPages: ['3'], locations: ['here'], viewAs: 'staff-2' }
  first.updateAccess(colleague)
  first.updateAccess(colleague)
  expect(told).toHaveBeenCalledTimes(1)
  const second = await load()
  expect(second.getSession()).toMatchObject({ pages: [3], viewOnlyPages: [3], locations: ['here'], viewAs: 'staff-2' })
  expect(second.getUserId(second.getSession())).toBe('staff-2')
  second.updateAccess({ pages: ['7', '2'], viewOnlyPages: [], locations: null, viewAs: null })
  expect(second.getUserId(second.getSession())).toBe('staff-1')
  expect(localStorage.getItem('view_as')).toBeNull()
  second.updateAccess(colleague)
  second.endSession('signed-out')
  expect(localStorage).toHaveLength(0)
})
