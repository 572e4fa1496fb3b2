import type { Random } from '#server/demo/seeded-random.ts'
import type { Spot } from '../camera.ts'
import { mix, shade } from '../color.ts'
import type { Drawing } from '../drawing.ts'

export type Sights =
  | 'harbour'
  | 'table-mountain'
  | 'rooftops'
  | 'johannesburg'
  | 'sandton'
  | 'ocean'
  | 'palms'
  | 'jacarandas'

export type Hour = 'morning' | 'noon' | 'golden' | 'dusk'

type Sky = {
  top: string
  low: string
  /** What distance fades into. */
  haze: string
  /** 1 in full daylight; less darkens everything outside. */
  day: number
  /** Share of windows that are lit. */
  lit: number
  cloud: string
}

export const skies: Record<Hour, Sky> = {
  morning: { top: '#8fc1e3', low: '#f9e7d2', haze: '#e9dccf', day: 1, lit: 0, cloud: '#ffffff' },
  noon: { top: '#5ea5d8', low: '#dcedf5', haze: '#cfe0ea', day: 1.03, lit: 0, cloud: '#ffffff' },
  golden: { top: '#7fa5c9', low: '#ffcf9a', haze: '#f6c7a0', day: 0.94, lit: 0.08, cloud: '#ffe8d2' },
  dusk: { top: '#2b3a67', low: '#e98f6e', haze: '#8a6c86', day: 0.5, lit: 0.55, cloud: '#c98a8f' },
}

/** The frame in which a view is painted: the horizon's middle, and the size of what is seen. */
export type Frame = { x: number; horizon: number; size: number }

export type Painter = { drawing: Drawing; frame: Frame; sky: Sky; random: Random }

/** From the frame's own units (−1 … 1 across, down positive) to the picture's. */
export function place({ frame }: Painter, x: number, y: number): Spot {
  return [frame.x + x * frame.size, frame.horizon + y * frame.size]
}

export function toned({ sky }: Painter, color: string, far: number): string {
  return mix(shade(color, sky.day), sky.haze, far)
}

export type City = { from: number; to: number; base: number; low: number; high: number; tone: string; count: number }

export type Building = {
  x: number
  bottom: number
  width: number
  height: number
  tone: string
  far: number
  floors?: number
}
