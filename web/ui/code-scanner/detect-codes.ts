import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

// Loads the WebAssembly file from our server; by default the library loads it from a public one.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path) },
})

/** Finds QR codes in browsers that have no detector of their own. */
export const detector = new BarcodeDetector({ formats: ['qr_code'] })
