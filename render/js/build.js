// Builds the chart script: only the parts of ECharts that the page uses, as one
// minified script that defines window.echarts. The licence stays in its head.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync("node_modules/echarts/package.json", "utf8"));

await build({
  entryPoints: ["entry.js"],
  outfile: "../assets/echarts.min.js",
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "echarts",
  target: ["es2020"],
  legalComments: "none",
  charset: "ascii",
  define: { "process.env.NODE_ENV": '"production"' },
  banner: {
    js: `/*! Apache ECharts ${version}, Copyright The Apache Software Foundation, Apache License 2.0; with ZRender, Copyright Baidu Inc., BSD-3-Clause, and tslib, Copyright Microsoft, 0BSD. A selection of its parts. */`,
  },
});

// What is redistributed goes with its licence.
const from = (name) => readFileSync(`node_modules/${name}`, "utf8");
writeFileSync("../assets/echarts.LICENSE.txt", [from("echarts/LICENSE"), from("echarts/NOTICE"), from("zrender/LICENSE"), from("tslib/LICENSE.txt")].join("\n\n"));
