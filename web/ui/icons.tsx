import type { Icon } from '@tabler/icons-react'
import TablerAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import TablerAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import TablerAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import TablerArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import TablerArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import TablerArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import TablerArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import TablerBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import TablerBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import TablerBuildingSkyscraper from '@tabler/icons-react/dist/esm/icons/IconBuildingSkyscraper.mjs'
import TablerCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import TablerCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import TablerChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import TablerChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import TablerChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import TablerCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import TablerClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import TablerCoin from '@tabler/icons-react/dist/esm/icons/IconCoin.mjs'
import TablerCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import TablerCube from '@tabler/icons-react/dist/esm/icons/IconCube.mjs'
import TablerDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import TablerDeviceMobileDown from '@tabler/icons-react/dist/esm/icons/IconDeviceMobileDown.mjs'
import TablerDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import TablerDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import TablerExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import TablerEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import TablerEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import TablerGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import TablerLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import TablerLockOpen from '@tabler/icons-react/dist/esm/icons/IconLockOpen.mjs'
import TablerLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import TablerMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import TablerMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import TablerMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import TablerPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import TablerPercentage from '@tabler/icons-react/dist/esm/icons/IconPercentage.mjs'
import TablerPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import TablerPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import TablerQrcode from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs'
import TablerReceipt from '@tabler/icons-react/dist/esm/icons/IconReceipt.mjs'
import TablerRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import TablerSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import TablerSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import TablerShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import TablerSparkles from '@tabler/icons-react/dist/esm/icons/IconSparkles.mjs'
import TablerSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import TablerTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import TablerUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import TablerUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import TablerX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'

export type IconProps = { size?: number; className?: string | undefined }

/** Icons here are decoration: the words beside them, or the label of their button, carry the meaning. */
function icon(Glyph: Icon) {
  return function DecorativeIcon({ size = 18, className }: IconProps) {
    return <Glyph size={size} stroke={1.75} className={className ?? ''} aria-hidden focusable="false" />
  }
}

export const IconAdjustmentsHorizontal = /* @__PURE__ */ icon(TablerAdjustmentsHorizontal)
export const IconAlertCircle = /* @__PURE__ */ icon(TablerAlertCircle)
export const IconAlertTriangle = /* @__PURE__ */ icon(TablerAlertTriangle)
export const IconArrowDown = /* @__PURE__ */ icon(TablerArrowDown)
export const IconArrowLeft = /* @__PURE__ */ icon(TablerArrowLeft)
export const IconArrowRight = /* @__PURE__ */ icon(TablerArrowRight)
export const IconArrowUp = /* @__PURE__ */ icon(TablerArrowUp)
export const IconBan = /* @__PURE__ */ icon(TablerBan)
export const IconBriefcase = /* @__PURE__ */ icon(TablerBriefcase)
export const IconBuildingSkyscraper = /* @__PURE__ */ icon(TablerBuildingSkyscraper)
export const IconCalendar = /* @__PURE__ */ icon(TablerCalendar)
export const IconCheck = /* @__PURE__ */ icon(TablerCheck)
export const IconChevronDown = /* @__PURE__ */ icon(TablerChevronDown)
export const IconChevronLeft = /* @__PURE__ */ icon(TablerChevronLeft)
export const IconChevronRight = /* @__PURE__ */ icon(TablerChevronRight)
export const IconCircleCheck = /* @__PURE__ */ icon(TablerCircleCheck)
export const IconClock = /* @__PURE__ */ icon(TablerClock)
export const IconCoin = /* @__PURE__ */ icon(TablerCoin)
export const IconCopy = /* @__PURE__ */ icon(TablerCopy)
export const IconCube = /* @__PURE__ */ icon(TablerCube)
export const IconDeviceDesktop = /* @__PURE__ */ icon(TablerDeviceDesktop)
export const IconDeviceMobileDown = /* @__PURE__ */ icon(TablerDeviceMobileDown)
export const IconDots = /* @__PURE__ */ icon(TablerDots)
export const IconDownload = /* @__PURE__ */ icon(TablerDownload)
export const IconExternalLink = /* @__PURE__ */ icon(TablerExternalLink)
export const IconEye = /* @__PURE__ */ icon(TablerEye)
export const IconEyeOff = /* @__PURE__ */ icon(TablerEyeOff)
export const IconGripVertical = /* @__PURE__ */ icon(TablerGripVertical)
export const IconLayoutDashboard = /* @__PURE__ */ icon(TablerLayoutDashboard)
export const IconLockOpen = /* @__PURE__ */ icon(TablerLockOpen)
export const IconLogout = /* @__PURE__ */ icon(TablerLogout)
export const IconMapPin = /* @__PURE__ */ icon(TablerMapPin)
export const IconMenu2 = /* @__PURE__ */ icon(TablerMenu2)
export const IconMoon = /* @__PURE__ */ icon(TablerMoon)
export const IconPencil = /* @__PURE__ */ icon(TablerPencil)
export const IconPercentage = /* @__PURE__ */ icon(TablerPercentage)
export const IconPlus = /* @__PURE__ */ icon(TablerPlus)
export const IconPrinter = /* @__PURE__ */ icon(TablerPrinter)
export const IconQrcode = /* @__PURE__ */ icon(TablerQrcode)
export const IconReceipt = /* @__PURE__ */ icon(TablerReceipt)
export const IconRefresh = /* @__PURE__ */ icon(TablerRefresh)
export const IconSearch = /* @__PURE__ */ icon(TablerSearch)
export const IconSelector = /* @__PURE__ */ icon(TablerSelector)
export const IconShieldLock = /* @__PURE__ */ icon(TablerShieldLock)
export const IconSparkles = /* @__PURE__ */ icon(TablerSparkles)
export const IconSun = /* @__PURE__ */ icon(TablerSun)
export const IconTrash = /* @__PURE__ */ icon(TablerTrash)
export const IconUpload = /* @__PURE__ */ icon(TablerUpload)
export const IconUsers = /* @__PURE__ */ icon(TablerUsers)
export const IconX = /* @__PURE__ */ icon(TablerX)
