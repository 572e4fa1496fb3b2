import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

// From this server: the library itself would ask a public one for it.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path) },
})

/** Finds QR codes in browsers that have no detector of their own. */
export const detector = new BarcodeDetector({ formats: ['qr_code'] })
