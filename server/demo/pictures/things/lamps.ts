import type { Point } from '../camera.ts'
import { ellipse } from '../drawing.ts'
import { type Part, rod, turned } from '../solids.ts'

export function deskLamp(x: number, z: number, y: number, color: string, turn: 1 | -1): Part[] {
  const elbow: Point = [x - 0.1 * turn, y + 0.34, z]
  const head: Point = [x + 0.16 * turn, y + 0.47, z - 0.04]
  return [
    turned(
      [x, z],
      [
        [y, 0.075],
        [y + 0.018, 0.07],
      ],
      color,
      { layer: 6 },
    ),
    rod([x, y + 0.015, z], elbow, 0.016, color, 7),
    rod(elbow, head, 0.016, color, 7),
    turned(
      [head[0], head[2]],
      [
        [head[1] - 0.1, 0.085],
        [head[1] - 0.02, 0.04],
        [head[1] + 0.01, 0.03],
      ],
      color,
      { layer: 8 },
    ),
    glow([head[0], head[1] - 0.1, head[2]], 0.075, 0.5, 9),
  ]
}

/** Lamplight: a lit disc, and air that shines around it. */
function glow(at: Point, size: number, reach: number, layer: number): Part {
  return {
    kind: 'free',
    at,
    layer,
    draw({ drawing, camera }, toWorld) {
      const spot = camera.project(toWorld(at))
      const scale = camera.scaleAt(toWorld(at))
      const halo = drawing.radial(spot, reach * scale, [
        [0, '#ffe3a8', 0.62],
        [0.35, '#ffd48a', 0.2],
        [1, '#ffcf80', 0],
      ])
      drawing.add(ellipse(spot, reach * scale, reach * scale, `fill="${halo}"`))
      if (size > 0) drawing.add(ellipse(spot, size * scale, size * scale * 0.3, 'fill="#fff7e2"'))
    },
  }
}

export function pendant(
  x: number,
  z: number,
  y: number,
  ceiling: number,
  radius: number,
  color: string,
  shape: 'dome' | 'globe' | 'cone' | 'drum',
): Part[] {
  const cord = [
    turned(
      [x, z],
      [
        [ceiling - 0.03, 0.05],
        [ceiling - 0.001, 0.06],
      ],
      '#3a3a3e',
    ),
    rod([x, ceiling, z], [x, y + radius * 0.7, z], 0.012, '#2b2b2e'),
  ]
  if (shape === 'globe') return [...cord, glow([x, y, z], 0, radius * 3.4, 1), globe([x, y, z], radius)]
  const rings = {
    dome: [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4].map((angle) => [
      y + Math.sin(angle) * radius * 0.78,
      Math.cos(angle) * radius,
    ]),
    cone: [
      [y, radius],
      [y + radius * 0.95, radius * 0.16],
    ],
    drum: [
      [y, radius],
      [y + radius * 0.62, radius],
    ],
  }[shape] as [number, number][] // pairs, as written
  return [...cord, turned([x, z], rings, color, { layer: 1 }), glow([x, y, z], radius * 0.86, radius * 2.6, 2)]
}

function globe(at: Point, radius: number): Part {
  return {
    kind: 'free',
    at,
    layer: 2,
    draw({ drawing, camera }, toWorld) {
      const [x, y] = camera.project(toWorld(at))
      const size = radius * camera.scaleAt(toWorld(at))
      const fill = drawing.radial([x - size * 0.2, y - size * 0.25], size * 1.25, [
        [0, '#fffdf6'],
        [0.55, '#fff0cf'],
        [1, '#f2d29b'],
      ])
      drawing.add(ellipse([x, y], size, size, `fill="${fill}"`))
    },
  }
}

export function floorLamp(color: string, shadeColor: string): Part[] {
  const foot = (angle: number) => rod([0, 1.38, 0], [Math.cos(angle) * 0.27, 0, Math.sin(angle) * 0.27], 0.024, color)
  return [
    foot(0.4),
    foot(2.5),
    foot(4.6),
    turned(
      [0, 0],
      [
        [1.36, 0.2],
        [1.66, 0.15],
      ],
      shadeColor,
      { layer: 1 },
    ),
    glow([0, 1.5, 0], 0, 0.75, 2),
  ]
}
