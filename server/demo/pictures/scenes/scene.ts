import type { Random } from '#server/demo/seeded-random.ts'
import type { CameraPlace } from '../camera.ts'
import type { RoomPlan, RoomStage } from '../room/room.ts'
import type { Part, Placement } from '../solids.ts'
import type { Sights } from '../views/view.ts'
import type { Look } from './looks.ts'

export type RoomKind = 'focus' | 'booth' | 'meeting' | 'boardroom' | 'lounge' | 'studio'

/** A thing and its place. `beside`: it belongs to a table and is covered by it, or covers it, as seen from the camera. */
export type Standing = {
  parts: readonly Part[]
  place: Placement
  beside?: { x: number; z: number; outward: readonly [x: number, z: number]; reach: number }
}

export type Rug = {
  x: number
  z: number
  width: number
  depth: number
  round: boolean
  colors: readonly [string, string]
}

export type Scene = {
  room: RoomPlan
  things: readonly Standing[]
  rugs: readonly Rug[]
  drawHangings: (stage: RoomStage) => void
  cameras: readonly CameraPlace[]
}

export type Brief = { look: Look; sights: Sights; seats: number; random: Random }
