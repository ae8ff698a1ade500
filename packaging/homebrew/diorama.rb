class Diorama < Formula
  desc "Reads, writes, checks and shows 3D map files of classic console games"
  homepage "@HOME@"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "tl-expected" => :build

  # One header, of which only the inflate function is used.
  resource "stb_image" do
    url "https://raw.githubusercontent.com/nothings/stb/8b5f1f37b5b75829fc72d38e7b5d4bcbf8a26d55/stb_image.h"
    sha256 "91f435e0fc6a620018b878b9859c74dff60d28046f87e649191ad6f35a98c722"
  end

  def install
    (buildpath/"headers/stb").install resource("stb_image")
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
           "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES=#{buildpath}/headers", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/dio --version")
    system bin/"dio", "formats", "--samples", "samples"
    system bin/"dio", "verify", "-r", "samples/kmp"
  end
end
