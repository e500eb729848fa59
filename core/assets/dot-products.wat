;; Multiplies many vectors of 16-bit numbers with one query, eight numbers at a time.
;; The memory holds the query at byte 0, the vectors one after the other, and room for the products as 32-bit floats.
(module
  (import "host" "memory" (memory 1))
  (func (export "multiply")
    (param $vector i32)  ;; byte at which the first vector begins
    (param $last i32)    ;; byte behind the last vector
    (param $width i32)   ;; bytes of one vector, a multiple of 16
    (param $product i32) ;; byte at which the first product is written
    (local $other i32)   ;; the vector behind $vector: two are multiplied in one pass
    (local $at i32)      ;; bytes of the query that are done
    (local $query v128) (local $sums v128) (local $otherSums v128)
    (loop $pairs
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $otherSums (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (local.set $other (i32.add (local.get $vector) (local.get $width)))
      (loop $numbers
        (local.set $query (v128.load align=1 (local.get $at)))
        ;; Four sums of two products each fit into 32 bits, and are added up as floats.
        (local.set $sums
          (f32x4.add (local.get $sums)
            (f32x4.convert_i32x4_s
              (i32x4.dot_i16x8_s (local.get $query)
                (v128.load align=1 (i32.add (local.get $vector) (local.get $at)))))))
        (local.set $otherSums
          (f32x4.add (local.get $otherSums)
            (f32x4.convert_i32x4_s
              (i32x4.dot_i16x8_s (local.get $query)
                (v128.load align=1 (i32.add (local.get $other) (local.get $at)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $numbers (i32.lt_u (local.get $at) (local.get $width))))
      (f32.store (local.get $product)
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sums)) (f32x4.extract_lane 1 (local.get $sums)))
            (f32x4.extract_lane 2 (local.get $sums)))
          (f32x4.extract_lane 3 (local.get $sums))))
      (f32.store offset=4 (local.get $product)
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $otherSums)) (f32x4.extract_lane 1 (local.get $otherSums)))
            (f32x4.extract_lane 2 (local.get $otherSums)))
          (f32x4.extract_lane 3 (local.get $otherSums))))
      (local.set $product (i32.add (local.get $product) (i32.const 8)))
      (local.set $vector (i32.add (local.get $other) (local.get $width)))
      (br_if $pairs (i32.lt_u (local.get $vector) (local.get $last))))))
