import type { DemoPod, RoomKind } from './demo-pods.ts'

/** Returns the small print of a pod, which depends on its kind of room. */
export function toPodTexts(pod: DemoPod) {
  return {
    booking_requirements: `${people(pod)} ${requirements[pod.kind]} Please have the QR code of your booking at hand: it opens the door from the first minute of your slot.`,
    availability: `${availability[pod.kind]} You will find it on the ${pod.floor}.`,
    cancellation_policy: cancellation[pod.kind],
    safety_and_property: `${safety[pod.kind]} Cameras watch the entrance and the corridor, never the room. Please leave it as you found it; damage is charged at cost.`,
  }
}

function people({ seats }: DemoPod): string {
  return seats === 1 ? 'For one person.' : `For up to ${seats} people.`
}

const requirements: Record<RoomKind, string> = {
  focus: 'No food beyond a snack, and no calls on loudspeaker.',
  booth: 'Bookings here are best kept under an hour, so that others get their turn.',
  meeting: 'One person answers for the group and signs everyone in at reception.',
  boardroom: 'Catering has to be arranged with the host a day ahead.',
  lounge: 'Hot drinks are welcome on the low table, meals are not.',
  studio:
    'A short introduction to the equipment is part of your first booking; bring your own drive for the recording.',
}

const availability: Record<RoomKind, string> = {
  focus: 'Every day from 06:00 to midnight.',
  booth: 'Every day from 06:00 to midnight, in steps of fifteen minutes.',
  meeting: 'Every day from 06:00 to midnight; reception is staffed on weekdays from 08:00 to 17:00.',
  boardroom: 'Every day from 06:00 to midnight; hosts are present on weekdays from 07:30 to 18:00.',
  lounge: 'Every day from 06:00 to midnight; quiet hours in the corridor after 20:00.',
  studio: 'Every day from 06:00 to midnight; a sound engineer is in the building on weekdays.',
}

const cancellation: Record<RoomKind, string> = {
  focus: 'Free of charge until one hour before the start. After that half of the booking is charged.',
  booth: 'Free of charge until fifteen minutes before the start.',
  meeting: 'Free of charge until four hours before the start. After that half of the booking is charged.',
  boardroom: 'Free of charge until the day before, 17:00. On the day itself the whole booking is charged.',
  lounge: 'Free of charge until two hours before the start. After that half of the booking is charged.',
  studio: 'Free of charge until 24 hours before the start. After that the whole booking is charged.',
}

const safety: Record<RoomKind, string> = {
  focus: 'Smoke detector, extinguisher in the corridor, emergency exit opposite the lift.',
  booth:
    'The door opens from inside without a code at all times, and the booth is ventilated as long as you are in it.',
  meeting: 'Smoke detector, first-aid kit behind reception, emergency exits at both ends of the corridor.',
  boardroom:
    'Smoke detector, sprinklers and first-aid kit in the room; the assembly point is in front of the building.',
  lounge: 'Smoke detector, extinguisher beside the door, emergency exit by the stairs.',
  studio: 'Smoke detector and a light that shows the fire alarm, as you would not hear it inside.',
}
