import type { Icon } from '@tabler/icons-react'
import AirConditioning from '@tabler/icons-react/dist/esm/icons/IconAirConditioning.mjs'
import Armchair from '@tabler/icons-react/dist/esm/icons/IconArmchair.mjs'
import Bath from '@tabler/icons-react/dist/esm/icons/IconBath.mjs'
import BatteryCharging from '@tabler/icons-react/dist/esm/icons/IconBatteryCharging.mjs'
import Beach from '@tabler/icons-react/dist/esm/icons/IconBeach.mjs'
import Bike from '@tabler/icons-react/dist/esm/icons/IconBike.mjs'
import Bottle from '@tabler/icons-react/dist/esm/icons/IconBottle.mjs'
import BuildingSkyscraper from '@tabler/icons-react/dist/esm/icons/IconBuildingSkyscraper.mjs'
import Bulb from '@tabler/icons-react/dist/esm/icons/IconBulb.mjs'
import Camera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs'
import Chalkboard from '@tabler/icons-react/dist/esm/icons/IconChalkboard.mjs'
import ChargingPile from '@tabler/icons-react/dist/esm/icons/IconChargingPile.mjs'
import Clock24 from '@tabler/icons-react/dist/esm/icons/IconClock24.mjs'
import Coffee from '@tabler/icons-react/dist/esm/icons/IconCoffee.mjs'
import Cookie from '@tabler/icons-react/dist/esm/icons/IconCookie.mjs'
import Desk from '@tabler/icons-react/dist/esm/icons/IconDesk.mjs'
import DeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import DeviceProjector from '@tabler/icons-react/dist/esm/icons/IconDeviceProjector.mjs'
import DeviceTv from '@tabler/icons-react/dist/esm/icons/IconDeviceTv.mjs'
import Dog from '@tabler/icons-react/dist/esm/icons/IconDog.mjs'
import Elevator from '@tabler/icons-react/dist/esm/icons/IconElevator.mjs'
import Fridge from '@tabler/icons-react/dist/esm/icons/IconFridge.mjs'
import Headphones from '@tabler/icons-react/dist/esm/icons/IconHeadphones.mjs'
import Keyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import Lock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import Microphone from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs'
import Mountain from '@tabler/icons-react/dist/esm/icons/IconMountain.mjs'
import Music from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs'
import Notebook from '@tabler/icons-react/dist/esm/icons/IconNotebook.mjs'
import Parking from '@tabler/icons-react/dist/esm/icons/IconParking.mjs'
import Phone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import Plant from '@tabler/icons-react/dist/esm/icons/IconPlant.mjs'
import Plug from '@tabler/icons-react/dist/esm/icons/IconPlug.mjs'
import Presentation from '@tabler/icons-react/dist/esm/icons/IconPresentation.mjs'
import Printer from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import Qrcode from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs'
import ShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import Sofa from '@tabler/icons-react/dist/esm/icons/IconSofa.mjs'
import SolarPanel from '@tabler/icons-react/dist/esm/icons/IconSolarPanel.mjs'
import Sun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import Temperature from '@tabler/icons-react/dist/esm/icons/IconTemperature.mjs'
import ToolsKitchen2 from '@tabler/icons-react/dist/esm/icons/IconToolsKitchen2.mjs'
import Usb from '@tabler/icons-react/dist/esm/icons/IconUsb.mjs'
import Users from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import Video from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import VolumeOff from '@tabler/icons-react/dist/esm/icons/IconVolumeOff.mjs'
import Wheelchair from '@tabler/icons-react/dist/esm/icons/IconWheelchair.mjs'
import Wifi from '@tabler/icons-react/dist/esm/icons/IconWifi.mjs'
import Wind from '@tabler/icons-react/dist/esm/icons/IconWind.mjs'
import Window from '@tabler/icons-react/dist/esm/icons/IconWindow.mjs'
import type { ComponentType } from 'react'
import type { IconProps } from './icons.tsx'

/** Icons that people choose by name, apart from those that the portal itself draws: only screens that show them load these. */
export const namedIcons = {
  'air-conditioning': named(AirConditioning),
  armchair: named(Armchair),
  bath: named(Bath),
  'battery-charging': named(BatteryCharging),
  beach: named(Beach),
  bike: named(Bike),
  bottle: named(Bottle),
  'building-skyscraper': named(BuildingSkyscraper),
  bulb: named(Bulb),
  camera: named(Camera),
  chalkboard: named(Chalkboard),
  'charging-pile': named(ChargingPile),
  'clock-24': named(Clock24),
  coffee: named(Coffee),
  cookie: named(Cookie),
  desk: named(Desk),
  'device-desktop': named(DeviceDesktop),
  'device-projector': named(DeviceProjector),
  'device-tv': named(DeviceTv),
  dog: named(Dog),
  elevator: named(Elevator),
  fridge: named(Fridge),
  headphones: named(Headphones),
  keyboard: named(Keyboard),
  lock: named(Lock),
  microphone: named(Microphone),
  mountain: named(Mountain),
  music: named(Music),
  notebook: named(Notebook),
  parking: named(Parking),
  phone: named(Phone),
  plant: named(Plant),
  plug: named(Plug),
  presentation: named(Presentation),
  printer: named(Printer),
  qrcode: named(Qrcode),
  'shield-check': named(ShieldCheck),
  sofa: named(Sofa),
  'solar-panel': named(SolarPanel),
  sun: named(Sun),
  temperature: named(Temperature),
  'tools-kitchen-2': named(ToolsKitchen2),
  usb: named(Usb),
  users: named(Users),
  video: named(Video),
  'volume-off': named(VolumeOff),
  wheelchair: named(Wheelchair),
  wifi: named(Wifi),
  wind: named(Wind),
  window: named(Window),
}

function named(Glyph: Icon): ComponentType<IconProps> {
  return function NamedIcon({ size = 18, className }: IconProps) {
    return <Glyph size={size} stroke={1.75} className={className ?? ''} aria-hidden focusable="false" />
  }
}
