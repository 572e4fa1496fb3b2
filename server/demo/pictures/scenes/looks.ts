import type { FloorFinish, WallFinish } from '../room/room.ts'
import type { Hour } from '../views/view.ts'
import type { PaletteName } from './palettes.ts'

export type WindowStyle = 'wide' | 'tall' | 'steel' | 'arch' | 'round' | 'pair'

/** How a room looks. `side` is the wall that carries the finish; the camera stands opposite. */
export type Look = {
  palette: PaletteName
  hour: Hour
  window: WindowStyle
  finish: WallFinish
  side: 'left' | 'right'
  floor: FloorFinish
}

const look = (
  palette: PaletteName,
  hour: Hour,
  window: WindowStyle,
  finish: WallFinish,
  side: 'left' | 'right',
  floor: FloorFinish,
): Look => ({ palette, hour, window, finish, side, floor })

/** By the pod's slug; any other pod gets one of these. */
export const looks: Readonly<Record<string, Look>> = {
  'harbour-light': look('atlantic', 'morning', 'wide', 'slats', 'left', 'planks'),
  'the-crows-nest': look('atlantic', 'noon', 'round', 'panelled', 'right', 'planks'),
  'signal-hill-boardroom': look('walnut', 'golden', 'wide', 'slats', 'right', 'carpet'),
  'penny-ferry': look('felt', 'noon', 'tall', 'felt', 'left', 'concrete'),
  'lions-head': look('karoo', 'morning', 'steel', 'felt', 'right', 'herringbone'),
  'table-bay-lounge': look('lagoon', 'golden', 'wide', 'paint', 'left', 'planks'),
  'bo-kaap': look('bokaap', 'noon', 'pair', 'dado', 'right', 'tiles'),
  'companys-garden': look('garden', 'noon', 'arch', 'cork', 'left', 'planks'),
  'the-print-room': look('night', 'dusk', 'steel', 'felt', 'left', 'carpet'),
  'biscuit-mill-loft': look('karoo', 'golden', 'steel', 'brick', 'left', 'concrete'),
  fynbos: look('fynbos', 'morning', 'tall', 'panelled', 'left', 'planks'),
  'keyes-corner': look('slate', 'noon', 'wide', 'felt', 'left', 'concrete'),
  'jozi-sound': look('ink', 'dusk', 'pair', 'slats', 'right', 'carpet'),
  'the-gallery': look('karoo', 'noon', 'tall', 'paint', 'right', 'herringbone'),
  'alice-lane-boardroom': look('walnut', 'dusk', 'wide', 'slats', 'left', 'carpet'),
  highveld: look('goldReef', 'golden', 'wide', 'felt', 'right', 'planks'),
  marula: look('goldReef', 'morning', 'tall', 'slats', 'left', 'herringbone'),
  'quiet-car': look('train', 'morning', 'tall', 'felt', 'right', 'concrete'),
  lighthouse: look('lighthouse', 'noon', 'wide', 'dado', 'right', 'planks'),
  'sea-breeze': look('lagoon', 'morning', 'arch', 'panelled', 'right', 'tiles'),
  milkwood: look('milkwood', 'noon', 'steel', 'cork', 'right', 'planks'),
  'florida-verandah': look('bokaap', 'golden', 'pair', 'panelled', 'left', 'planks'),
  jacaranda: look('blossom', 'noon', 'arch', 'felt', 'right', 'planks'),
  'union-boardroom': look('union', 'golden', 'pair', 'panelled', 'left', 'herringbone'),
}
