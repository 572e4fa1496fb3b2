import { buildBoardroom } from './boardroom.ts'
import { buildBooth } from './booth.ts'
import { buildFocusRoom } from './focus-room.ts'
import { buildLounge } from './lounge.ts'
import { buildMeetingRoom } from './meeting-room.ts'
import type { Brief, RoomKind, Scene } from './scene.ts'
import { buildStudio } from './studio.ts'

export const scenes: Record<RoomKind, (brief: Brief) => Scene> = {
  focus: buildFocusRoom,
  booth: buildBooth,
  meeting: buildMeetingRoom,
  boardroom: buildBoardroom,
  lounge: buildLounge,
  studio: buildStudio,
}
