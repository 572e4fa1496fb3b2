import { __iconNode as airConditioning } from '@tabler/icons-react/dist/esm/icons/IconAirConditioning.mjs'
import { __iconNode as armchair } from '@tabler/icons-react/dist/esm/icons/IconArmchair.mjs'
import { __iconNode as bath } from '@tabler/icons-react/dist/esm/icons/IconBath.mjs'
import { __iconNode as batteryCharging } from '@tabler/icons-react/dist/esm/icons/IconBatteryCharging.mjs'
import { __iconNode as beach } from '@tabler/icons-react/dist/esm/icons/IconBeach.mjs'
import { __iconNode as bike } from '@tabler/icons-react/dist/esm/icons/IconBike.mjs'
import { __iconNode as bottle } from '@tabler/icons-react/dist/esm/icons/IconBottle.mjs'
import { __iconNode as buildingSkyscraper } from '@tabler/icons-react/dist/esm/icons/IconBuildingSkyscraper.mjs'
import { __iconNode as bulb } from '@tabler/icons-react/dist/esm/icons/IconBulb.mjs'
import { __iconNode as camera } from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs'
import { __iconNode as chalkboard } from '@tabler/icons-react/dist/esm/icons/IconChalkboard.mjs'
import { __iconNode as chargingPile } from '@tabler/icons-react/dist/esm/icons/IconChargingPile.mjs'
import { __iconNode as clock24 } from '@tabler/icons-react/dist/esm/icons/IconClock24.mjs'
import { __iconNode as coffee } from '@tabler/icons-react/dist/esm/icons/IconCoffee.mjs'
import { __iconNode as cookie } from '@tabler/icons-react/dist/esm/icons/IconCookie.mjs'
import { __iconNode as desk } from '@tabler/icons-react/dist/esm/icons/IconDesk.mjs'
import { __iconNode as deviceDesktop } from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import { __iconNode as deviceProjector } from '@tabler/icons-react/dist/esm/icons/IconDeviceProjector.mjs'
import { __iconNode as deviceTv } from '@tabler/icons-react/dist/esm/icons/IconDeviceTv.mjs'
import { __iconNode as dog } from '@tabler/icons-react/dist/esm/icons/IconDog.mjs'
import { __iconNode as elevator } from '@tabler/icons-react/dist/esm/icons/IconElevator.mjs'
import { __iconNode as fridge } from '@tabler/icons-react/dist/esm/icons/IconFridge.mjs'
import { __iconNode as headphones } from '@tabler/icons-react/dist/esm/icons/IconHeadphones.mjs'
import { __iconNode as keyboard } from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import { __iconNode as lock } from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { __iconNode as microphone } from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs'
import { __iconNode as mountain } from '@tabler/icons-react/dist/esm/icons/IconMountain.mjs'
import { __iconNode as music } from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs'
import { __iconNode as notebook } from '@tabler/icons-react/dist/esm/icons/IconNotebook.mjs'
import { __iconNode as parking } from '@tabler/icons-react/dist/esm/icons/IconParking.mjs'
import { __iconNode as phone } from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import { __iconNode as plant } from '@tabler/icons-react/dist/esm/icons/IconPlant.mjs'
import { __iconNode as plug } from '@tabler/icons-react/dist/esm/icons/IconPlug.mjs'
import { __iconNode as presentation } from '@tabler/icons-react/dist/esm/icons/IconPresentation.mjs'
import { __iconNode as printer } from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { __iconNode as qrcode } from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs'
import { __iconNode as shieldCheck } from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import { __iconNode as sofa } from '@tabler/icons-react/dist/esm/icons/IconSofa.mjs'
import { __iconNode as solarPanel } from '@tabler/icons-react/dist/esm/icons/IconSolarPanel.mjs'
import { __iconNode as sun } from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import { __iconNode as temperature } from '@tabler/icons-react/dist/esm/icons/IconTemperature.mjs'
import { __iconNode as toolsKitchen2 } from '@tabler/icons-react/dist/esm/icons/IconToolsKitchen2.mjs'
import { __iconNode as usb } from '@tabler/icons-react/dist/esm/icons/IconUsb.mjs'
import { __iconNode as users } from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { __iconNode as video } from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import { __iconNode as volumeOff } from '@tabler/icons-react/dist/esm/icons/IconVolumeOff.mjs'
import { __iconNode as wheelchair } from '@tabler/icons-react/dist/esm/icons/IconWheelchair.mjs'
import { __iconNode as wifi } from '@tabler/icons-react/dist/esm/icons/IconWifi.mjs'
import { __iconNode as wind } from '@tabler/icons-react/dist/esm/icons/IconWind.mjs'
import { __iconNode as windowPane } from '@tabler/icons-react/dist/esm/icons/IconWindow.mjs'
import { toIcon } from './drawn-icon.tsx'

/** Icons that people choose by name, apart from those that the portal itself draws: only screens that show them load these. */
export const namedIcons = {
  'air-conditioning': toIcon(airConditioning),
  armchair: toIcon(armchair),
  bath: toIcon(bath),
  'battery-charging': toIcon(batteryCharging),
  beach: toIcon(beach),
  bike: toIcon(bike),
  bottle: toIcon(bottle),
  'building-skyscraper': toIcon(buildingSkyscraper),
  bulb: toIcon(bulb),
  camera: toIcon(camera),
  chalkboard: toIcon(chalkboard),
  'charging-pile': toIcon(chargingPile),
  'clock-24': toIcon(clock24),
  coffee: toIcon(coffee),
  cookie: toIcon(cookie),
  desk: toIcon(desk),
  'device-desktop': toIcon(deviceDesktop),
  'device-projector': toIcon(deviceProjector),
  'device-tv': toIcon(deviceTv),
  dog: toIcon(dog),
  elevator: toIcon(elevator),
  fridge: toIcon(fridge),
  headphones: toIcon(headphones),
  keyboard: toIcon(keyboard),
  lock: toIcon(lock),
  microphone: toIcon(microphone),
  mountain: toIcon(mountain),
  music: toIcon(music),
  notebook: toIcon(notebook),
  parking: toIcon(parking),
  phone: toIcon(phone),
  plant: toIcon(plant),
  plug: toIcon(plug),
  presentation: toIcon(presentation),
  printer: toIcon(printer),
  qrcode: toIcon(qrcode),
  'shield-check': toIcon(shieldCheck),
  sofa: toIcon(sofa),
  'solar-panel': toIcon(solarPanel),
  sun: toIcon(sun),
  temperature: toIcon(temperature),
  'tools-kitchen-2': toIcon(toolsKitchen2),
  usb: toIcon(usb),
  users: toIcon(users),
  video: toIcon(video),
  'volume-off': toIcon(volumeOff),
  wheelchair: toIcon(wheelchair),
  wifi: toIcon(wifi),
  wind: toIcon(wind),
  window: toIcon(windowPane),
}
