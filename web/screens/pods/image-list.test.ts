import { describe, expect, it } from 'vitest'
import type { PodImage } from '#contract/pods.ts'
import { ApiError, networkError } from '#web/api/api-error.ts'
import { createImageList } from './image-list.ts'

const stored: PodImage[] = [
  { public_id: 'a', url: '/uploads/a.webp' },
  { public_id: 'b', url: '/uploads/b.webp' },
]

const image = (name: string): PodImage => ({ public_id: name, url: `/uploads/${name}.webp` })
const file = (name: string) => new File(['abc'], name, { type: 'image/png' })

type Sending = {
  name: string
  signal: AbortSignal
  onProgress: (share: number) => void
  resolve: (image: PodImage) => void
  reject: (error: Error) => void
}

function setup(initial: readonly PodImage[] = []) {
  const sending: Sending[] = []
  const list = createImageList(
    initial,
    (file, options) =>
      new Promise((resolve, reject) => {
        sending.push({ name: file.name, ...options, resolve, reject })
      }),
  )
  return { list, sending, names: () => list.get().map((item) => item.name) }
}

/** Waits until the handlers of settled promises have run. */
const rest = () => new Promise((resolve) => setTimeout(resolve))

describe('createImageList', () => {
  it('keeps the stored images of a pod, in their order', async () => {
    const { list } = setup(stored)
    await expect(list.settle()).resolves.toEqual(stored)
  })

  it('uploads at most three files at once, each with its own progress', async () => {
    const { list, sending } = setup()
    list.add(['1', '2', '3', '4'].map((name) => file(name)))
    expect(sending.map(({ name }) => name)).toEqual(['1', '2', '3'])
    sending[1]?.onProgress(0.4)
    expect(list.get().map((item) => item.progress)).toEqual([0, 0.4, 0, 0])
    sending[1]?.resolve(image('2'))
    await rest()
    expect(sending.map(({ name }) => name)).toEqual(['1', '2', '3', '4'])
    expect(list.get().map((item) => item.image?.url)).toEqual([undefined, '/uploads/2.webp', undefined, undefined])
  })

  it('saves nothing when the form is closed while a file is still uploading', async () => {
    const { list, sending } = setup(stored)
    list.add([file('c')])
    const settling = list.settle()
    list.close()
    sending[0]?.reject(new Error('Aborted'))
    await expect(settling).rejects.toThrow('The form was closed before its images were uploaded.')
  })

  it('delays saving until every file is uploaded, and returns the images in the order shown', async () => {
    const { list, sending } = setup(stored)
    list.add([file('c')])
    const settling = list.settle()
    await expect(Promise.race([settling, rest()])).resolves.toBeUndefined()
    list.move(2, 0)
    sending[0]?.resolve(image('c'))
    expect((await settling).map(({ public_id }) => public_id)).toEqual(['c', 'a', 'b'])
  })

  it('shows why a file was refused, aborts the save, and uploads the file again on request', async () => {
    const { list, sending } = setup(stored)
    list.add([file('broken'), file('fine')])
    sending[0]?.reject(new Error('"broken" is not an image.'))
    sending[1]?.resolve(image('fine'))
    await rest()
    expect(list.get().map((item) => item.error)).toEqual([undefined, undefined, '"broken" is not an image.', undefined])
    await expect(list.settle()).rejects.toThrow('One image was not uploaded, and nothing has been saved.')
    list.retry(list.get()[2]?.key ?? '')
    expect(sending[2]?.name).toBe('broken')
    sending[2]?.resolve(image('broken'))
    await expect(list.settle()).resolves.toHaveLength(4)
  })

  it('offers to upload a file again unless the server would refuse it again', async () => {
    const { list, sending } = setup()
    list.add([file('broken'), file('lost'), file('signed-out')])
    sending[0]?.reject(new ApiError({ status: 400, code: 'invalid_input', message: '"broken" is not an image.' }))
    sending[1]?.reject(networkError())
    // Somebody who signs in again can go on with the form.
    sending[2]?.reject(new ApiError({ status: 401, code: 'not_signed_in', message: 'Please sign in.' }))
    await rest()
    expect(list.get().map(({ isRefusal }) => isRefusal)).toEqual([true, false, false])
    for (const { key } of list.get().slice(1)) list.remove(key)
    await expect(list.settle()).rejects.toThrow(
      'One image was not uploaded, and nothing has been saved. Remove the image.',
    )
  })

  it('lets the save continue once the refused image is removed', async () => {
    const { list, sending } = setup(stored)
    list.add([file('broken')])
    sending[0]?.reject(new Error('no'))
    await rest()
    list.remove(list.get()[2]?.key ?? '')
    await expect(list.settle()).resolves.toEqual(stored)
  })

  it('stops uploading an image that is removed, and uploads the next', async () => {
    const { list, sending, names } = setup()
    list.add(['1', '2', '3', '4'].map((name) => file(name)))
    list.remove(list.get()[0]?.key ?? '')
    expect(sending[0]?.signal.aborted).toBe(true)
    sending[0]?.reject(new Error('aborted'))
    await rest()
    expect(names()).toEqual(['2', '3', '4'])
    expect(sending.at(-1)?.name).toBe('4')
  })

  it('aborts all uploads when the form is closed', async () => {
    const { list, sending, names } = setup(stored)
    list.add(['1', '2', '3', '4'].map((name) => file(name)))
    list.close()
    expect(sending.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
    for (const { reject } of sending) reject(new Error('aborted'))
    await rest()
    expect(sending).toHaveLength(3)
    expect(names()).toEqual(['Image 1', 'Image 2'])
  })
})
